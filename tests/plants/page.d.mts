/** A row of docs/generated/plants.md. */
export interface Row {
  room: string
  name: string
  by: string
}
export declare function rowsOf(page: string): Row[]
export declare function pageOf(
  page: string,
  tried: readonly (Omit<Row, 'by'> & { by: string | null })[],
): string
