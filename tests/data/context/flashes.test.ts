/** The banners as a value. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFlashStore, type Banner } from '#data/context/flash-store.ts'

const passing = (text: string): Banner => ({ mode: 'info', text })
const staying = (text: string): Banner => ({ mode: 'danger', text, stays: true })
function put(...banners: [key: string, banner: Banner][]) {
  const flash = createFlashStore()
  for (const [key, banner] of banners) flash.put(key, banner)
  onTestFinished(flash.clear)
  return { ...flash, texts: () => flash.get().map(({ text }) => text) }
}

describe('[spec 4] banners', () => {
  test('under a key change in their place, and are new again once they have gone', () => {
    const flash = put(['a', passing('一')], ['b', passing('二')])
    const [newer, older] = flash.get()
    flash.put('a', passing('三'))
    expect([flash.texts(), flash.get()[1]?.id]).toEqual([['二', '三'], older?.id])
    expect(flash.get()[0]).toBe(newer)
    flash.dismiss(flash.at('a')?.id ?? 0)
    expect([flash.texts(), flash.at('a')]).toEqual([['二'], undefined])
    flash.put('a', passing('四'))
    expect(flash.texts()).toEqual(['四', '二'])
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
    expect(put(...banners).texts()).toEqual(wanted)
  })

  test('that are removed under a key are counted, whether they were there or not; one shown without a key is another', () => {
    const flash = put(['a', passing('一')])
    flash.show('info', '二')
    const isNews = ['a', 'b', 'c'].map(flash.watchRemoval)
    flash.remove('a')
    flash.remove('b')
    expect([flash.texts(), isNews.map((each) => each())]).toEqual([['二'], [false, false, true]])
  })
})
