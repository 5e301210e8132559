// Packing of numbers and bytes into the text of links.

/** The numbers of a flat YAML file, such as that of a costmap. */
export function readYamlNumbers(text: string): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^\s*([a-z_]+)\s*:\s*([-+.\deE]+)\s*(#.*)?$/.exec(line);
    if (match !== null) numbers.set(match[1]!, Number(match[2]));
  }
  return numbers;
}

/** Bytes as letters, digits, - and _. */
export function toText(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What toText has written; undefined for other text. */
export function fromText(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Where cells differ from those before: the gap, the length and the byte of each run, packed. */
export function packChanges(before: Uint8Array, after: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  const number = (value: number): void => {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    bytes.push(value);
  };
  let end = 0;
  for (let i = 0; i < after.length; ++i) {
    if (before[i] === after[i]) continue;
    const begin = i;
    while (i + 1 < after.length && before[i + 1] !== after[i + 1] && after[i + 1] === after[begin])
      ++i;
    number(begin - end);
    number(i + 1 - begin);
    bytes.push(after[begin]!);
    end = i + 1;
  }
  return Uint8Array.from(bytes);
}

/** Makes the changes of packChanges in place; stops at the first that does not fit. */
export function applyChanges(cells: Uint8Array, packed: Uint8Array): void {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; at < packed.length; scale *= 128) {
      const byte = packed[at++]!;
      value += (byte % 128) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  for (let position = 0; at < packed.length;) {
    position += number();
    const length = number();
    const value = packed[at++];
    if (value === undefined || position + length > cells.length) return;
    cells.fill(value, position, position + length);
    position += length;
  }
}
