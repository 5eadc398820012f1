"""From documents to a program: names resolved, types found, terms and operations built, in one walk.

`expressions`, `calls` and `functions` make terms; `bodies` and `rules` make rules of them; `sentences`, `decisions`
and `steps` make operations; `declare` lays files over one another; `program` puts it all together.
"""

from .program import elaborate as elaborate
