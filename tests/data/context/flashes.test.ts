/** The banners as a value. */
import { describe, expect, test } from 'vitest'
import {
  NO_FLASHES,
  shownAs,
  without,
  withPut,
  withRemoved,
  withShown,
  type Banner,
} from '#data/context/flash-store.ts'

const passing = (text: string): Banner => ({ mode: 'info', text })
const staying = (text: string): Banner => ({ mode: 'danger', text, stays: true })
const put = (...banners: [key: string, banner: Banner][]) =>
  banners.reduce((flashes, [key, banner]) => withPut(flashes, key, banner), NO_FLASHES)
const texts = ({ shown }: typeof NO_FLASHES) => shown.map(({ text }) => text)

describe('[spec 4] banners', () => {
  test('under a key change in their place, and are new again once they have gone', () => {
    const two = put(['a', passing('一')], ['b', passing('二')])
    const changed = withPut(two, 'a', passing('三'))
    expect([texts(changed), changed.shown[1]?.id]).toEqual([['二', '三'], two.shown[1]?.id])
    expect(changed.shown[0]).toBe(two.shown[0])
    const closed = without(changed, shownAs(changed, 'a')?.id ?? 0)
    expect([texts(closed), shownAs(closed, 'a')]).toEqual([['二'], undefined])
    expect(texts(withPut(closed, 'a', passing('四')))).toEqual(['四', '二'])
  })

  test.each<[string, [string, Banner][], string[]]>([
    [
      'two that pass',
      [
        ['a', passing('一')],
        ['b', passing('二')],
        ['c', passing('三')],
      ],
      ['三', '二'],
    ],
    [
      'all that stay',
      [
        ['a', staying('一')],
        ['b', staying('二')],
        ['c', staying('三')],
      ],
      ['三', '二', '一'],
    ],
    [
      'one that passes beside them',
      [
        ['a', passing('一')],
        ['b', staying('二')],
        ['c', staying('三')],
        ['d', passing('四')],
      ],
      ['四', '三', '二'],
    ],
  ])('are on the screen as many as there is room for: %s', (_, banners, wanted) => {
    expect(texts(put(...banners))).toEqual(wanted)
  })

  test('that are removed under a key are counted, whether they were there or not; one shown without a key is another', () => {
    const there = withShown(put(['a', passing('一')]), passing('二'))
    const gone = withRemoved(withRemoved(there, 'a'), 'b')
    expect([texts(gone), [...gone.removals]]).toEqual([
      ['二'],
      [
        ['a', 1],
        ['b', 1],
      ],
    ])
  })
})
