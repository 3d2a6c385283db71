import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PerSheet } from '#features/report-pdf/pdf/paper.ts'
import { readProof } from '#features/verify/read-proof.ts'
import { proofOf, sha256 } from '#lib/image/photo-chain.ts'
import { createSheets } from '#features/report-pdf/pdf/sheets.ts'
import { drawReport, fileNameOf, type WorkReport } from '#features/report-pdf/work-report.ts'
import { jpegFile } from '../../support/image-files.ts'
import { hasPoppler, popplerText, readPdf } from '../../support/pdf-reader.ts'

const PATH = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const font = Uint8Array.from(readFileSync(PATH)).buffer
const JPEG = Uint8Array.from(jpegFile({ width: 1200, height: 900 })).buffer

const KANJI = '髙﨑德濵𠮷㎡℃〜～ 東雲A棟 ｶﾅ 1号機（地下）'
const REPORT: WorkReport = {
  title: '作業報告書 R26-1',
  lead: ['作成 2026/11/20 12:00'],
  sections: [
    { heading: '依頼', state: 'CRM確認済', rows: [['作業場所', KANJI]] },
    { heading: '入退館・作業内容', state: '未送信（待機）', note: '弁を清掃しました。' },
  ],
  photos: {
    heading: '写真',
    all: [],
    perSheet: 2,
    why: { absent: 'この写真はこの端末にありません', broken: 'この写真は描けません' },
    proven: ({ photos, days }) => ({
      heading: '写真の記録',
      rows: days.map(({ day, head }) => [day, head]),
      note: `${photos.length}枚`,
    }),
  },
  footer: 'R26-1',
}

const photosOf = (count: number, perSheet: PerSheet): WorkReport['photos'] => ({
  ...REPORT.photos,
  perSheet,
  all: Array.from({ length: count }, (_, at) => ({
    key: `p${at}`,
    fileName: `${at}.jpg`,
    name: `写真 ${at}`,
    captions: [`緊急報告 ${at}　未送信（待機）`, `撮影 2026/11/20 09:${String(at).padStart(2, '0')}`],
  })),
})

type Drawing = Parameters<typeof drawReport>[2]

async function drawn(report: WorkReport, over: Partial<Drawing> = {}) {
  const sheets = await createSheets(font)
  const done: number[] = []
  const file = await drawReport(report, sheets, {
    signal: new AbortController().signal,
    breathe: async () => undefined,
    onProgress: (part) => void done.push(part),
    pictureOf: async () => JPEG,
    proofOf: async () => null,
    ...over,
  })
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { bytes, read: await readPdf(bytes), done, missing: sheets.missing() }
}

describe('[issue 54] 作業報告書 as a PDF', () => {
  test('every text is in it, with title, language, bookmarks and tags', async () => {
    const { bytes, read, done, missing } = await drawn(REPORT)
    const { pages, bookmarks, destinations, title, language, tags } = read
    expect(pages).toHaveLength(1)
    const texts = ['作業報告書 R26-1', KANJI, '未送信（待機）', '弁を清掃しました。', '1 / 1']
    for (const text of texts) expect(pages[0]).toContain(text)
    expect([title, language]).toEqual(['作業報告書 R26-1', 'ja'])
    expect([bookmarks, destinations]).toEqual([
      ['依頼', '入退館・作業内容'],
      [0, 0],
    ])
    // title, lead, two headings with their states, a row of two texts, a note, and the document
    expect(tags).toBe(10)
    expect(missing).toEqual([])
    expect(done.map((part) => Math.round(part * 4))).toEqual([1, 2, 3])
    const { text, errors } = hasPoppler() ? popplerText(bytes) : { text: texts.join(' '), errors: '' }
    for (const each of texts) expect(text.replaceAll(/\s/g, '')).toContain(each.replaceAll(/\s/g, ''))
    expect(errors).toBe('')
  })

  test('a long one continues on further sheets, and none of it is lost', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `項目${at}の内容です。`)
    const rows = words.map((value, at) => [`番号${at}`, value] as const)
    const { pages } = (await drawn({ ...REPORT, sections: [{ heading: '表', rows }] })).read
    const whole = pages.join('\n')
    expect(pages.length).toBeGreaterThan(5)
    expect(words.filter((word) => !whole.includes(word))).toEqual([])
    expect(whole).toContain(`${pages.length} / ${pages.length}`)
  })

  test('a name of 120 characters is whole, in lines that end inside the sheet', async () => {
    const name = Array.from({ length: 120 }, (_, at) => '東京都江東区東雲建設現場髙層棟'[at % 15]).join('')
    const rows = [[name, name]] as const
    const { read } = await drawn({ ...REPORT, title: name, sections: [{ heading: name, rows }] })
    expect(read.pages.join('').replaceAll('\n', '')).toContain(name)
    expect(Math.max(...read.rightEdges)).toBeLessThanOrEqual(595.28 - 42.5 + 0.1)
  })

  test.each<[string, number, (own: AbortController) => Partial<Drawing>]>([
    ['between two sections', 1, (own) => ({ breathe: async () => own.abort() })],
    [
      'while a photo is read',
      3,
      (own) => ({
        pictureOf: async () => {
          own.abort()
          return JPEG
        },
      }),
    ],
  ])('it is given up %s, and says no more of its progress', async (_, steps, stopping) => {
    const own = new AbortController()
    const done: number[] = []
    const drawing = {
      signal: own.signal,
      onProgress: (part: number) => void done.push(part),
      ...stopping(own),
    }
    await expect(drawn({ ...REPORT, photos: photosOf(3, 2) }, drawing)).rejects.toThrow(/abort/i)
    expect(done).toHaveLength(steps)
  })

  test('a signature is drawn, and named for those who listen', async () => {
    const drawing = { strokes: [[20, 20, 90, 120, 200, 40]], alt: '立会者の署名 山田 花子' }
    const section = { heading: '立会者の署名', rows: [['立会者名', '山田 花子']] as const, drawing }
    const { read } = await drawn({ ...REPORT, sections: [section] })
    expect(read.alts).toEqual(['立会者の署名 山田 花子'])
    expect(read.bookmarks.at(-1)).toBe('立会者の署名')
  })

  test.each([
    ['作業報告書 R26-1', '作業報告書-R26-1'],
    ['a/b:c*?"<>|\\d', 'a-b-c-d'],
    ['𠮷'.repeat(120), '𠮷'.repeat(60)],
  ])('the file of %s', (title, name) => expect(fileNameOf(title)).toBe(name))
})

describe('[issue 54] photos of a report', () => {
  test('the record of the photos is in the PDF: its head for people, the whole for the comparison', async () => {
    const entry = {
      key: 'p0',
      hash: await sha256(JPEG),
      at: '2026-11-20T09:00:00+09:00',
      place: '',
      requestId: 'r1',
    }
    const chains = new Map([['2026-11-20', [entry]]])
    const photos = photosOf(2, 2)
    const { bytes, read } = await drawn({ ...REPORT, photos }, { proofOf: (all) => proofOf(chains, all) })
    const proof = await readProof(bytes.buffer)
    expect(proof).toEqual(await proofOf(chains, photos.all))
    expect(read.pages[0]).toContain('写真の記録')
    expect(read.pages.join('').replaceAll('\n', '')).toContain(proof?.days[0]?.head)
    expect(await readProof((await drawn(REPORT)).bytes.buffer)).toBeNull()
    await expect(readProof(Uint8Array.of(1, 2).buffer)).rejects.toThrow('No PDF header found')
  })

  test.each<[PerSheet, number[]]>([
    [2, [0, 2, 2, 1]],
    [6, [0, 5]],
  ])('%i on a sheet, each with its words, and read aloud', async (perSheet, counts) => {
    const { read, done } = await drawn({ ...REPORT, photos: photosOf(5, perSheet) })
    expect(read.pictures.map((each) => each.length)).toEqual(counts)
    expect(read.alts).toEqual(['写真 0', '写真 1', '写真 2', '写真 3', '写真 4'])
    expect(read.bookmarks.at(-1)).toBe('写真')
    for (const text of ['緊急報告 4　未送信（待機）', '撮影 2026/11/20 09:04'])
      expect(read.pages.join('\n')).toContain(text)
    expect(done).toHaveLength(8)
    for (const { x, y, drawWidth, drawHeight } of read.pictures.flat())
      expect([x > 40, y > 42, x + drawWidth < 556, y + drawHeight < 800]).toEqual([true, true, true, true])
  })

  test('one that is not there, or cannot be read or drawn, says so in its place; the others are there', async () => {
    const found = { p0: 'absent', p1: 'broken', p2: new Error('no bytes'), p3: JPEG } as const
    const { read } = await drawn(
      { ...REPORT, photos: photosOf(4, 2) },
      {
        pictureOf: async (key) => {
          const picture = Object.entries(found).find(([name]) => name === key)?.[1] ?? 'absent'
          if (picture instanceof Error) throw picture
          return picture
        },
      },
    )
    expect(read.pictures.map((each) => each.length)).toEqual([0, 0, 1])
    expect(read.pages[1]).toContain('この写真はこの端末にありません\n緊急報告 0')
    expect(read.pages[1]).toContain('この写真は描けません\n緊急報告 1')
    expect(read.pages[2]).toContain('この写真は描けません\n緊急報告 2')
  })
})
