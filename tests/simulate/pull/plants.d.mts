/** An expression of the shipped code, and what it becomes. */
export interface Plant {
  name: string
  file: string
  from: string
  to: string
  /** A seed that catches it, tried first. */
  seed: number
}
export declare const plants: readonly Plant[]
