class ExecuTorch:
    """With the kernels and delegates of the Python package. What happens inside of a program is not shown."""

    shows = False

    def __init__(self, asked):
        import torch
        from executorch.runtime import Runtime

        self.torch, self.runtime, self.asked = torch, Runtime.get(), asked
        self.method = self.opened()

    def opened(self):
        self.program = self.runtime.load_program(self.asked["file"])
        return self.program.load_method(self.asked["entry"])

    def run(self, arrays):
        results = self.method.execute([self.torch.from_numpy(array) for array in arrays])
        arrays = [result.numpy().copy() for result in results if isinstance(result, self.torch.Tensor)]
        if not self.asked["keep_state"]:
            self.method = self.opened()  # state lies in its memory
        return arrays
