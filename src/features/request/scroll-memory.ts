/** Where the list stood and how high its rows were, so that going back shows the same rows at the same place. */
import type { VirtualItem } from '@tanstack/react-virtual'
import { type } from 'arktype'

const item = type({
  key: 'string',
  index: 'number',
  start: 'number',
  end: 'number',
  size: 'number',
  lane: 'number',
})
const kept = type('string.json.parse').to({ offset: 'number', sizes: item.array() })

export function readScroll(text: string | null): { offset: number; sizes: VirtualItem[] } {
  const value = kept(text ?? '')
  return value instanceof type.errors ? { offset: 0, sizes: [] } : value
}

export const writeScroll = (offset: number, sizes: readonly VirtualItem[]) =>
  JSON.stringify({
    offset: Math.round(offset),
    sizes: sizes.map(({ key, index, start, end, size, lane }) => ({ key: String(key), index, start, end, size, lane })),
  })
