"""From documents to a program: names resolved, types found, terms and operations built, in one walk.

`declare` and `typedecls` lay files over one another. On top of `checker`, each part a class that extends the one
before: `functions`, `barenames`, `calls`, `walks`, `operators`, `expressions` make terms; `bodies` and `rules` make
rules of them; `sentences`, `decisions`, `steps` make operations; `table` makes kinds and zones; `program` puts it all
together. `bounds`, `lockstep` and `sight` look at what came out.
"""

from .activation import Beside as Beside
from .activation import asks_for_modifiers as asks_for_modifiers
from .activation import switchable as switchable
from .declare import Setting as Setting
from .program import elaborate as elaborate
from .rulecards import with_verdicts as with_verdicts
