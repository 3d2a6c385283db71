/** Where pictures stand on a sheet: two below each other, or six in two columns, each with its lines of text. */

/** A JPEG as it goes into the file. */
export interface Picture {
  jpeg: Uint8Array<ArrayBuffer>
  width: number
  height: number
  /** Read aloud in its place. */
  name: string
  captions: readonly string[]
}

export type PerSheet = 2 | 6

/** In points, from the sheet's lower left corner. */
export interface Box {
  left: number
  bottom: number
  width: number
  height: number
}

const GAP = 12
const GRID: Readonly<Record<PerSheet, { columns: number; rows: number }>> = {
  2: { columns: 1, rows: 2 },
  6: { columns: 2, rows: 3 },
}

/** The place of the picture that is the `at`th of its sheet, from 0. */
export function cellOf(at: number, perSheet: PerSheet, { left, bottom, width, height }: Box): Box {
  const { columns, rows } = GRID[perSheet]
  const own = { width: (width - GAP * (columns - 1)) / columns, height: (height - GAP * (rows - 1)) / rows }
  const row = Math.floor(at / columns)
  return {
    ...own,
    left: left + (at % columns) * (own.width + GAP),
    bottom: bottom + (rows - 1 - row) * (own.height + GAP),
  }
}

/** As large as it goes without being cut or stretched; at the top, in the middle. */
export function fitted({ width, height }: Pick<Picture, 'width' | 'height'>, box: Box): Box {
  const scale = Math.min(box.width / width, box.height / height)
  const own = { width: width * scale, height: height * scale }
  return {
    ...own,
    left: box.left + (box.width - own.width) / 2,
    bottom: box.bottom + box.height - own.height,
  }
}
