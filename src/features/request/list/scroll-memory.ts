/** Stores the scroll position and row heights of the list, so that going back restores the same view. */
import type { VirtualItem } from '@tanstack/react-virtual'
import { readStoredJson } from '#lib/browser/stored-json.ts'

interface StoredScroll {
  offset: number
  sizes: VirtualItem[]
}
const AT_THE_TOP: StoredScroll = { offset: 0, sizes: [] }

export const readScroll = (text: string | null): StoredScroll => readStoredJson(text, AT_THE_TOP)

export const writeScroll = (offset: number, sizes: readonly VirtualItem[]) =>
  JSON.stringify({
    offset: Math.round(offset),
    sizes: sizes.map(({ key, index, start, end, size, lane }) => ({
      key: String(key),
      index,
      start,
      end,
      size,
      lane,
    })),
  })
