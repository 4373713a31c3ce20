"""Are the token probabilities of a language model to be believed? Batch by batch, where the logits are.

    python examples/torch/llm_tokens.py                            # logits of an invented model, on a GPU where there is one
    python examples/torch/llm_tokens.py --model gpt2 --text a.txt  # a model of transformers, on a text

Logits of a vocabulary are large: 32,768 tokens of 128,256 words are 8 GB. They are never kept: each batch is reduced to
the confidence of the likeliest word and whether it came, on the device if tare has its GPU part, and joins a state of a
few megabytes. The temperature is fitted on the first batch, which is then not judged.
"""

import argparse

import torch

import tare


def invented(batches, tokens, vocabulary, device):
    """Logits that are too far apart by a factor of 1.5, with every tenth position masked as padding."""
    generator = torch.Generator(device).manual_seed(1)
    for _ in range(batches):
        fair = 2.5 * torch.randn(tokens, vocabulary, device=device, generator=generator)
        label = torch.multinomial(torch.softmax(fair, -1), 1, generator=generator).squeeze(-1)
        label[::10] = -100
        yield (1.5 * fair).to(torch.bfloat16 if device == "cuda" else torch.float32), label


def of_a_model(name, path, tokens, device):
    """The next-token logits of a causal language model on a text."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16 if device == "cuda" else torch.float32).to(device).eval()
    with open(path, encoding="utf-8") as file:
        ids = tokenizer(file.read(), return_tensors="pt").input_ids[0]
    for part in ids.split(tokens):
        if len(part) < 2:
            continue
        with torch.inference_mode():
            logits = model(part[None].to(device)).logits[0]
        label = torch.cat([part[1:], torch.tensor([-100])]).to(device)  # the last position has no next word
        yield logits, label


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="a causal language model of transformers; without it the logits are invented")
    parser.add_argument("--text", help="a text file for the model")
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=4096, help="of a batch")
    parser.add_argument("--vocabulary", type=int, default=32768)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    batches = of_a_model(given.model, given.text, given.tokens, given.device) if given.model else invented(
        given.batches, given.tokens, given.vocabulary, given.device)

    logits, labels = next(batches)
    calibrator = tare.TemperatureScaling("logits").fit(logits, labels, ignore_index=-100)
    temperature = calibrator.parameters_["temperature"]
    before, after = tare.State(), tare.State()
    for logits, labels in batches:
        before.update(logits=logits, labels=labels, ignore_index=-100)
        after.update(logits=logits / temperature, labels=labels, ignore_index=-100)
    print(f"temperature {temperature:.3f}, fitted on the first batch; judged on {before.rows} tokens of the others")
    print("as it is:       ", before.measure().verdict)
    print("with temperature:", after.measure().verdict)


if __name__ == "__main__":
    main()
