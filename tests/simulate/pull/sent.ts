/** What the page gets; null: nothing, the way is cut. */
export interface Sent {
  status: number
  body: string
  /** Instead of `body`: a file. */
  bytes?: Uint8Array<ArrayBuffer>
  isJson: boolean
  headers: Record<string, string>
  /** What a redirect leads to: who does not follow it gets no more than that it was one. */
  isRedirected?: boolean
  /** Longer than the time limit. */
  isSlow?: boolean
}
