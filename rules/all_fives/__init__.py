"""All Fives: the line of play, hands and boneyard, scores, and advice by playing on."""
