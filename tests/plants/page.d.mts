/** A row of docs/generated/plants.md. */
export interface Row {
  room: string
  tried: number
  caught: number
}
export declare function rowsOf(page: string): Row[]
export declare function pageOf(page: string, defects: readonly { room: string; by: string | null }[]): string
