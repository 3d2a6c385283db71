/** Calls counted by the second, over all devices of a run. */
export interface Figures {
  mean: number
  p99: number
  peak: number
}

export class Tally {
  readonly from: number
  readonly seconds: Uint32Array

  /** @param from, to epoch ms */
  constructor(from: number, to: number) {
    this.from = from
    this.seconds = new Uint32Array(Math.ceil((to - from) / 1_000) + 1)
  }

  count(now: number): void {
    const second = Math.floor((now - this.from) / 1_000)
    const before = this.seconds[second]
    if (before !== undefined) this.seconds[second] = before + 1
  }

  add(seconds: Uint32Array): void {
    for (let i = 0; i < seconds.length; i++) this.seconds[i] = (this.seconds[i] ?? 0) + (seconds[i] ?? 0)
  }

  /**
   * Calls per second between two times.
   * @param binSeconds averaged over so many seconds: a small fleet is lumpy
   */
  between(from: number, to: number, binSeconds = 1): Figures {
    const seen = this.seconds.slice((from - this.from) / 1_000, (to - this.from) / 1_000)
    const bins = Array.from({ length: Math.ceil(seen.length / binSeconds) }, (_, bin) => {
      const seconds = seen.subarray(bin * binSeconds, (bin + 1) * binSeconds)
      return seconds.reduce((one, each) => one + each, 0) / seconds.length
    })
    const part = bins.toSorted((a, b) => a - b)
    const sum = part.reduce((all, each) => all + each, 0)
    return {
      mean: part.length === 0 ? 0 : sum / part.length,
      p99: part[Math.floor(part.length * 0.99)] ?? 0,
      peak: part.at(-1) ?? 0,
    }
  }
}
