/** Whatever waits goes first: taps, a frame. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
