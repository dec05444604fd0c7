PYTHON ?= .venv/bin/python
# Where make weights keeps its scenes and checkpoints, and how many scenes it renders.
WORK ?= build/weights
SCENES ?= 26700
# A folder of labelled photographs of your own for make measure: make measure PHOTOS=FOLDER
PHOTOS ?=

.PHONY: ablation check demo measure weights

check: # everything that must be in order: the README's test command
	python3 tests

demo: $(PYTHON) # read and judge the picture that comes along
	$(PYTHON) -m pipsight demo

measure: $(PYTHON) # how well and how fast pictures are read and puzzles solved (may be stopped and taken up again)
	$(PYTHON) -m pip install --quiet --editable '.[dev,bench]'
	$(PYTHON) -m benchmarks.reading --rendered 300 --log build/measure.jsonl
	$(PYTHON) -m benchmarks.reading --rendered 200 --holding lookalikes --log build/lookalikes.jsonl
	$(if $(PHOTOS),$(PYTHON) -m benchmarks.reading --photos $(PHOTOS) --log build/measure.jsonl)
	$(if $(PHOTOS),$(PYTHON) -m benchmarks.sequences --photos $(PHOTOS))
	$(PYTHON) -m benchmarks.doubt --rendered 300 --log build/doubt.jsonl --out build/reliability.svg
	$(PYTHON) -m benchmarks.invariance --log build/invariance.jsonl
	$(PYTHON) -m benchmarks.live --boards 100
	$(PYTHON) -m benchmarks.play --log build/play.jsonl
	$(PYTHON) -m benchmarks.solvers --log build/solvers.jsonl --walk 10000
	$(PYTHON) -m benchmarks.courses --films 60 --log build/courses.jsonl
	$(PYTHON) -m benchmarks.hunts --games 12 --log build/hunts.jsonl
	$(PYTHON) -m benchmarks.races --races 12 --log build/races.jsonl
	$(PYTHON) -m benchmarks.live_hunt
	$(PYTHON) -m benchmarks.referee --films 600 --quiet 3000 --workers 2 --log build/referee.jsonl
	$(PYTHON) -m benchmarks.calibration --log build/calibration.jsonl
	$(PYTHON) -m benchmarks.teaching --log build/teaching.jsonl
	$(PYTHON) -m benchmarks.link
	$(PYTHON) -m benchmarks.live_page --frames 10000
	PIPSIGHT_WHOLE=1 $(PYTHON) -m pytest tests/browser/test_whole_games.py # games on the clock, to their ends

weights: $(PYTHON) # train the networks anew (hours; may be stopped and taken up again)
	$(PYTHON) -m pip install --quiet --editable '.[train]'
	$(PYTHON) -m training.scenes $(WORK)/scenes --count $(SCENES)
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $(SCENES) --count 1500 --seed 192 --holding sheets
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 1500)) --count 1500 --seed 193 --holding dice
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 3000)) --count 1500 --seed 194 --holding tetrominoes
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 4500)) --count 2000 --seed 195 --holding homemade
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 6500)) --count 900 --seed 196 --holding dice --seen afar
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 7400)) --count 3200 --seed 197 --holding lookalikes
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 10600)) --count 1600 --seed 198 --holding board
	$(PYTHON) -m training.scenes $(WORK)/scenes --first $$(($(SCENES) + 12200)) --count 2400 --seed 199 --holding upon
	$(PYTHON) -m training.train_detector $(WORK)/scenes $(WORK)/detector.pt --steps 62800 --threads 2
	$(PYTHON) -m training.train_pieces $(WORK)/scenes $(WORK)/detector.pt $(WORK)/pieces.pt --steps 16000 --threads 2
	$(PYTHON) -m training.export detector $(WORK)/pieces.pt vision/models/detector.onnx
	$(PYTHON) -m training.candidates $(WORK)/scenes
	$(PYTHON) -m training.train_reader $(WORK)/scenes $(WORK)/reader.pt --steps 25000 --threads 2
	$(PYTHON) -m training.export reader $(WORK)/reader.pt vision/models/reader.onnx
	$(PYTHON) -m training.train_dice $(WORK)/scenes $(WORK)/dice.pt --steps 26000 --threads 2
	$(PYTHON) -m training.export dice $(WORK)/dice.pt vision/models/dice.onnx
	$(PYTHON) -m training.train_relief $(WORK)/scenes $(WORK)/relief.pt --steps 11000 --threads 2
	$(PYTHON) -m training.export relief $(WORK)/relief.pt vision/models/relief.onnx
	$(PYTHON) -m training.touches $(WORK)/films --films 2500
	$(PYTHON) -m training.train_touch $(WORK)/films $(WORK)/touch.pt --steps 25000 --threads 2
	$(PYTHON) -m training.train_landing $(WORK)/films $(WORK)/touch.pt $(WORK)/landing.pt --rate 5e-4 --loaders 2 --threads 2
	$(PYTHON) -m training.export touch $(WORK)/landing.pt vision/models/touch.onnx

ablation: $(PYTHON) # what real surfaces and touching tiles teach (hours; may be stopped and taken up again)
	$(PYTHON) -m pip install --quiet --editable '.[train]'
	set -e; for mixture in all surfaces touching; do \
		folder=build/ablation/$$mixture; \
		case $$mixture in all) without=;; *) without="--without $$mixture";; esac; \
		$(PYTHON) -m training.scenes $$folder/scenes --count 1500 --seed 91 $$without; \
		$(PYTHON) -m training.train_detector $$folder/scenes $$folder/detector.pt --steps 1500 --threads 2; \
		$(PYTHON) -m training.export detector $$folder/detector.pt $$folder/detector.onnx; \
		$(PYTHON) -m training.train_reader $$folder/scenes $$folder/reader.pt --steps 1500 --threads 2; \
		$(PYTHON) -m training.export reader $$folder/reader.pt $$folder/reader.onnx; \
		cp vision/models/dice.onnx vision/models/relief.onnx $$folder; \
	done
	$(PYTHON) -m benchmarks.ablation build/ablation $(if $(PHOTOS),--photos $(PHOTOS))

$(PYTHON):
	python3 -m venv .venv
	$(PYTHON) -m pip install --quiet --editable .
