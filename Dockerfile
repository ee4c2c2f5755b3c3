# The program in a container, from the wheel that `make wheel` left in dist/ (for arm64, `make wheel ARCH=aarch64`):
#   docker build --build-arg EXTRAS=[torch] -t model_validator .
#   docker run --rm -v "$PWD:/models:ro" model_validator check net.onnx
FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv && rm -rf /var/lib/apt/lists/*
COPY dist/model_validator-*.whl /opt/wheels/
ARG EXTRAS=
RUN python3 -m venv /opt/venv && /opt/venv/bin/pip install --no-cache-dir "model_validator$EXTRAS @ file://$(ls /opt/wheels/*_$(uname -m).whl)"
WORKDIR /models
ENTRYPOINT ["/opt/venv/bin/model_validator"]
