/** 256 weights, one for each byte of a map. */
export function weightsOf(weights: ArrayLike<number>): ArrayLike<number> {
  if (weights.length !== 256) throw new TypeError("weights: must be 256 numbers");
  return weights;
}

/** 16 factors for each capability, in one list. */
export function factorsOf(capabilities: readonly ArrayLike<number>[]): number[] {
  if (capabilities.some((factors) => factors?.length !== 16)) {
    throw new TypeError("capabilities: each must be 16 numbers");
  }
  return capabilities.flatMap((factors) => Array.from(factors));
}
