/** The size of the largest agent, in cells. */
export const LARGEST_AGENT = 4;
