import { waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AS_JSON, shareable, shareFile } from '#lib/browser/share-file.ts'
import { SupportScreen } from '#features/settings/support-screen.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

afterEach(() => vi.unstubAllGlobals())

const texts = (withContents: boolean) => `{"contents":${withContents}}\n`

/** A browser whose share sheet takes files with these endings. */
function sheetTaking(endings: readonly string[], share: Navigator['share'] = async () => undefined) {
  const taken: File[] = []
  return {
    taken,
    canShare: ({ files = [] }: ShareData = {}) =>
      files.every(({ name }) => endings.some((ending) => name.endsWith(ending))),
    share: async (data: ShareData = {}) => {
      taken.push(...(data.files ?? []))
      await share.call(navigator, data)
    },
  }
}

async function openScreen(sheet?: ReturnType<typeof sheetTaking>) {
  if (sheet)
    for (const name of ['share', 'canShare'] as const)
      Object.defineProperty(navigator, name, { value: sheet[name], configurable: true })
  const made: boolean[] = []
  const supportFile = async (withContents: boolean) => {
    made.push(withContents)
    return texts(withContents)
  }
  const opened = await renderFeature(<SupportScreen />, {
    path: '/settings/support',
    services: { supportFile },
  })
  return { ...opened, made }
}
afterEach(() => {
  for (const name of ['share', 'canShare']) Reflect.deleteProperty(navigator, name)
})

describe('[screens] 支援ファイル', () => {
  test('says what is in it, shows it to the letter, and gives it to the share sheet', async () => {
    const sheet = sheetTaking(['.json'])
    const { screen, user } = await openScreen(sheet)
    expect(await screen.findByText(/住所、電話番号、報告の内容、写真は入りません/)).toBeDefined()
    const share = await screen.findByRole('button', { name: '支援ファイルを共有' })
    await waitFor(() => expect(share.getAttribute('aria-busy')).toBeNull())
    await user.click(screen.getByText('ファイルの中を見る'))
    expect((await screen.findByText(/"contents":false/)).tagName).toBe('PRE')
    await user.click(share)
    await waitFor(() =>
      expect(sheet.taken.map(({ name }) => name)).toEqual(['genba-work-20261120120000000.json']),
    )
    expect(await sheet.taken[0]?.text()).toBe(texts(false))
  })

  test('内容も含める says first what else is in it, and makes the file anew', async () => {
    const { screen, user, made } = await openScreen(sheetTaking(['.json']))
    await waitFor(() => expect(made).toEqual([false]))
    expect(screen.queryByText('さらに入るもの')).toBeNull()
    await user.click(screen.getByRole('switch', { name: '内容も含める' }))
    const status = await screen.findByRole('region', { name: 'さらに入るもの' })
    for (const what of ['ユーザーID', '報告・現場メモ・変更依頼の内容', '入力途中の内容', 'CRMからの返事'])
      expect(status.textContent).toContain(what)
    await waitFor(() => expect(made).toEqual([false, true]))
  })

  test('without a share sheet it is saved on the device, and that is said', async () => {
    const { screen, user, services } = await openScreen()
    const urls = vi.spyOn(URL, 'createObjectURL')
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const save = await screen.findByRole('button', { name: '支援ファイルを端末に保存' })
    await waitFor(() => expect(save.getAttribute('aria-busy')).toBeNull())
    await user.click(save)
    await waitFor(() => expect(urls).toHaveBeenCalledTimes(1))
    expect(clicked).toHaveBeenCalledTimes(1)
    expect(services.flash.get().map(({ text }) => text)).toEqual(['支援ファイルを端末に保存しました。'])
    vi.restoreAllMocks()
  })

  test('a file that cannot be made is said, and noted', async () => {
    const note = vi.fn<(problem: unknown) => void>()
    const { screen } = await renderFeature(<SupportScreen />, {
      path: '/settings/support',
      services: {
        supportFile: async () => Promise.reject(new Error('no')),
        errorLog: {
          get: () => 0,
          subscribe: () => () => undefined,
          send: async () => 'sent',
          text: async () => '',
          note,
        },
      },
    })
    expect((await screen.findByRole('alert')).textContent).toContain('支援ファイルを作れませんでした')
    expect(note).toHaveBeenCalledTimes(1)
  })
})

describe('how a file is shared', () => {
  const file = { name: 'a', content: '{}', kinds: AS_JSON }
  test.each([
    [['.json', '.txt'], 'a.json'],
    // Chromium takes texts alone
    [['.txt'], 'a.txt'],
    [[], undefined],
  ])('a sheet that takes %j: %s', (endings, name) =>
    expect(shareable(file, sheetTaking(endings))?.name).toBe(name),
  )
  test('no sheet at all', () => expect(shareable(file, {})).toBeNull())

  test.each([
    [undefined, 'shared'],
    [new DOMException('', 'AbortError'), 'stopped'],
    [new DOMException('', 'NotAllowedError'), 'refused'],
    [new TypeError('no'), 'refused'],
  ] as const)('the sheet ends with %s: %s', async (error, expected) => {
    const sheet = sheetTaking(['.json'], async () => {
      if (error) throw error
    })
    expect(await shareFile(new File(['{}'], 'a.json'), sheet)).toBe(expected)
  })
})
