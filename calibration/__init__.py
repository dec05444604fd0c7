"""The camera, the table and the set: points go in, fits that know how sure they are come out."""
