/** What one user's table of photo bytes holds on one device: it survives every crash. */
interface Row {
  bytes: ArrayBuffer
  putAt: number
}

export class BytesOnDisk {
  readonly rows = new Map<string, Row>()
  /** Told of every key whose bytes go. */
  readonly watchers: ((key: string) => void)[] = []

  drop(key: string): void {
    if (this.rows.delete(key)) for (const watch of this.watchers) watch(key)
  }
}
