import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createSheets } from '#features/report-pdf/pdf/sheets.ts'
import { FILE_MAX_BYTES, VerifyScreen } from '#features/verify/verify-screen.tsx'
import { PROOF_FILE, proofOf, sha256 } from '#lib/image/photo-chain.ts'
import { renderFeature } from '../../support/render-feature.tsx'

const FONT = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const DAY = '2026-11-20'
const photo = (name: string, content: string) => new File([content], name, { type: 'image/jpeg' })
const PHOTOS = [photo('a.jpg', 'first'), photo('b.jpg', 'second')]

/** A report on these photos, as the app makes it. */
async function reportOn(photos: readonly File[], edited = (json: string) => json): Promise<File> {
  const entries = await Promise.all(
    photos.map(async (file, at) => ({
      key: file.name,
      hash: await sha256(await file.arrayBuffer()),
      at: `${DAY}T09:0${at}:00+09:00`,
      place: '',
      requestId: 'r1',
    })),
  )
  const proof = await proofOf(
    new Map([[DAY, entries]]),
    photos.map(({ name }) => ({ key: name, fileName: name })),
  )
  const sheets = await createSheets(Uint8Array.from(readFileSync(FONT)).buffer)
  sheets.title('報告')
  if (proof) await sheets.attach(PROOF_FILE, edited(JSON.stringify(proof)))
  const made = await (await sheets.finish('報告', '', async () => undefined)).arrayBuffer()
  return new File([made], '報告.pdf', { type: 'application/pdf' })
}

async function compared(files: readonly File[]) {
  const { screen, user } = await renderFeature(<VerifyScreen />, { path: '/verify' })
  await user.upload(screen.getByLabelText('PDFと写真を選ぶ'), [...files])
  const output = screen.getByRole('status')
  await expect.poll(() => output.textContent, { timeout: 20_000 }).not.toMatch(/^(?:照合しています…)?$/)
  const rows = screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
  return { text: output.textContent, rows }
}

describe('[issue 54] 写真の照合', () => {
  test('photos as they were', async () => {
    const { text, rows } = await compared([await reportOn(PHOTOS), ...PHOTOS])
    expect(text).toContain('2枚すべて変更なし')
    expect(rows).toEqual(['変更なしa.jpg', '変更なしb.jpg'])
  })

  test('an edited photo, a missing one, a renamed one, and one that is not in the record; those come first', async () => {
    const report = await reportOn([...PHOTOS, photo('c.jpg', 'third'), photo('d.jpg', 'fourth')])
    const chosen = [
      photo('a.jpg', 'edited'),
      photo('c.jpg', 'third'),
      photo('IMG.jpg', 'fourth'),
      photo('x.jpg', 'other'),
    ]
    const { text, rows } = await compared([report, ...chosen])
    expect(text).toContain('4枚のうち1枚が変更なし')
    expect(rows).toEqual([
      '中身が違うa.jpg',
      '選んだ中にないb.jpg',
      '中身は同じで、名前が違うd.jpg選んだファイル：IMG.jpg',
      'このPDFに記録のないファイルx.jpg',
      '変更なしc.jpg',
    ])
  })

  test('a record that was edited is told, and its photos are not called unchanged as a whole', async () => {
    const report = await reportOn(PHOTOS, (json) => json.replace(`${DAY}T09:01`, `${DAY}T08:01`))
    const { text } = await compared([report, ...PHOTOS])
    expect(text).toContain('書き換えられています')
    expect(text).not.toContain('すべて変更なし')
  })

  test.each<[string, () => Promise<File[]>, string]>([
    ['no PDF', async () => [...PHOTOS], 'PDFがありません'],
    ['two PDFs', async () => [await reportOn(PHOTOS), await reportOn(PHOTOS)], '二つ以上'],
    ['a PDF without a record', async () => [await reportOn([])], '写真の記録がありません'],
    [
      'a PDF whose record is none',
      async () => [await reportOn(PHOTOS, () => '{}')],
      '写真の記録がありません',
    ],
    [
      'a PDF that is cut',
      async () => [new File(['%PDF-1.7 x'], 'x.pdf', { type: 'application/pdf' })],
      '読めないファイル',
    ],
    [
      'a file that is too large',
      async () => {
        const file = photo('huge.jpg', '')
        Object.defineProperty(file, 'size', { value: FILE_MAX_BYTES + 1 })
        return [file]
      },
      '60MBまで',
    ],
  ])('%s: it says why', async (_, files, why) => {
    expect((await compared(await files())).text).toContain(why)
  })
})
