"""Write a game with a comment and a variation as PDN."""

import damka
from damka import pdn

game = pdn.PdnGame(damka.rules.load("international"), headers={"White": "Ana", "Black": "Bo"})
node = game.add_variation("32-28")
reply = node.add_variation("19-23", comment="It offers an exchange.", nags=[5])
node.add_variation("18-23")  # a variation: what may be played in place of 19-23
reply.add_variation("28x19").add_variation("14x23")
game.headers["Result"] = "1-1"
print(pdn.format(game), end="")
