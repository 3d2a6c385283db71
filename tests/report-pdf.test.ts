import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSheets } from '#features/report-pdf/pdf/sheets.ts'
import { readTrueType, type TrueType } from '#features/report-pdf/pdf/true-type.ts'
import type { PerSheet } from '#features/report-pdf/pdf/pictures.ts'
import { pictureOf, PHOTOS_MAX_BYTES } from '#features/report-pdf/report-photos.ts'
import {
  drawnTo,
  isSigned,
  NO_SIGNATURE,
  PAD,
  pointsOf,
  signatureIn,
  type Signature,
} from '#features/report-pdf/signature.ts'
import { drawReport, fileNameOf, type WorkReport } from '#features/report-pdf/work-report.ts'
import { jpegFile } from './support/image-files.ts'
import { glyphsOf } from './support/glyphs.ts'
import { readPdf } from './support/pdf-text.ts'

const PATH = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const bytes = Uint8Array.from(readFileSync(PATH)).buffer
const font = readTrueType(bytes)

const KANJI = '髙﨑德濵𠮷㎡℃〜～ 東雲A棟 ｶﾅ 1号機（地下）'
const FACTS: WorkReport = {
  title: '作業報告書 R26-1',
  lead: ['作成 2026/11/20 12:00'],
  sections: [
    { heading: '依頼', state: 'CRM確認済', rows: [{ label: '作業場所', value: KANJI }] },
    { heading: '入退館・作業内容', state: '未送信（待機）', rows: [], note: '弁を清掃しました。' },
  ],
  signature: null,
  photos: {
    heading: '写真',
    all: [],
    perSheet: 2,
    why: { absent: 'この写真はこの端末にありません', broken: 'この写真は描けません' },
  },
  footer: 'R26-1',
}

const JPEG = jpegFile({ width: 1200, height: 900 })
const picture = { jpeg: JPEG, width: 1200, height: 900 }
const photosOf = (count: number, perSheet: PerSheet): WorkReport['photos'] => ({
  ...FACTS.photos,
  perSheet,
  all: Array.from({ length: count }, (_, at) => ({
    key: `p${at}`,
    name: `写真 ${at}`,
    captions: [`緊急報告 ${at}　未送信（待機）`, `撮影 2026/11/20 09:${String(at).padStart(2, '0')}`],
  })),
})

async function drawn(report: WorkReport, over: Partial<Parameters<typeof drawReport>[2]> = {}) {
  const sheets = createSheets(font, 'NotoSansJP')
  const done: number[] = []
  const file = await drawReport(report, sheets, {
    signal: new AbortController().signal,
    breathe: async () => undefined,
    onProgress: (part) => void done.push(part),
    pictureOf: async ({ name, captions }) => ({ kind: 'picture', picture: { ...picture, name, captions } }),
    ...over,
  })
  return { file, done, missing: sheets.missing() }
}

describe('[issue 54] 作業報告書 as a PDF', () => {
  test('every text is in it, letter by letter, with title, language, bookmarks and tags', async () => {
    const { file, done, missing } = await drawn(FACTS)
    const { pages, bookmarks, title, catalog } = await readPdf(file)
    expect(pages).toHaveLength(1)
    for (const text of ['作業報告書 R26-1', KANJI, '未送信（待機）', '弁を清掃しました。', '1 / 1'])
      expect(pages[0]).toContain(text)
    expect([title, bookmarks]).toEqual(['作業報告書 R26-1', ['依頼', '入退館・作業内容']])
    for (const entry of ['/Lang (ja-JP)', '/Marked true', '/DisplayDocTitle true'])
      expect(catalog).toContain(entry)
    expect([missing, done]).toEqual([[], [0.5, 1]])
  })

  test('a long one goes on on further sheets, and none of it is lost', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `項目${at}の内容です。`)
    const rows = words.map((value, at) => ({ label: `番号${at}`, value }))
    const { pages } = await readPdf(
      (await drawn({ ...FACTS, sections: [{ heading: '表', state: '', rows }] })).file,
    )
    expect(pages.length).toBeGreaterThan(5)
    const whole = pages.join('\n')
    expect(words.filter((word) => !whole.includes(word))).toEqual([])
    expect(whole).toContain(`${pages.length} / ${pages.length}`)
  })

  test('a letter that the font does not have is drawn as 〓, told, and found by a search all the same', async () => {
    const report = { ...FACTS, lead: ['😀と\u{E0100}文字'] }
    const { file, missing } = await drawn(report)
    expect(missing).toEqual(['😀'])
    expect((await readPdf(file)).pages[0]).toContain('😀と文字')
  })

  test('it is given up where the user says so', async () => {
    const own = new AbortController()
    const giving = drawn(FACTS, { signal: own.signal, breathe: async () => own.abort() })
    await expect(giving).rejects.toThrow(/abort/i)
  })

  test('another reader finds the same, where one is installed', async () => {
    const { error } = spawnSync('pdftotext', ['-v'])
    const path = join(mkdtempSync(join(tmpdir(), 'genba-pdf-')), 'report.pdf')
    writeFileSync(path, new Uint8Array(await (await drawn(FACTS)).file.arrayBuffer()))
    const { stdout, stderr } = spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
    const found = error ? KANJI : stdout
    expect(found).toContain(KANJI)
    expect(stderr ?? '').toBe('')
  })

  test.each([
    ['作業報告書 R26-1', '作業報告書-R26-1'],
    ['a/b:c*?"<>|\\d', 'a-b-c-d'],
    ['𠮷'.repeat(120), '𠮷'.repeat(60)],
  ])('the file of %s', (title, name) => expect(fileNameOf(title)).toBe(name))
})

describe('[issue 54] photos of a report', () => {
  test.each<[PerSheet, number[]]>([
    [2, [0, 2, 2, 1]],
    [6, [0, 5]],
  ])('%i on a sheet, each with its words, and read aloud', async (perSheet, pictures) => {
    const read = await readPdf((await drawn({ ...FACTS, photos: photosOf(5, perSheet) })).file)
    expect(read.pictures).toEqual(pictures)
    expect(read.alts).toEqual(['写真 0', '写真 1', '写真 2', '写真 3', '写真 4'])
    expect(read.bookmarks.at(-1)).toBe('写真')
    for (const text of ['緊急報告 4　未送信（待機）', '撮影 2026/11/20 09:04'])
      expect(read.pages.join('\n')).toContain(text)
  })

  test('one that is not there, and one that cannot be drawn, say so in their place; the others are there', async () => {
    const kinds = ['absent', 'broken'] as const
    const { file } = await drawn(
      { ...FACTS, photos: photosOf(3, 2) },
      {
        pictureOf: async ({ key, name, captions }) =>
          key === 'p2'
            ? { kind: 'picture', picture: { ...picture, name, captions } }
            : { kind: kinds[key === 'p0' ? 0 : 1] },
      },
    )
    const { pages, pictures } = await readPdf(file)
    expect(pictures).toEqual([0, 0, 1])
    expect(pages[1]).toContain('この写真はこの端末にありません\n緊急報告 0')
    expect(pages[1]).toContain('この写真は描けません\n緊急報告 1')
  })

  /** A browser whose JPEGs have half a byte for each pixel: noise. */
  const noisy = {
    thumb: async (_: Blob, { longEdge = 192 }) => {
      const [width, height] = [longEdge, longEdge * 0.75]
      return jpegFile({ width, height, bytes: Math.round((width * height) / 2) }).slice().buffer
    },
  }
  const bytes = { get: async () => JPEG.slice().buffer }

  test.each([1, 10, 40, 200])('%i photos of noise stay below ten megabytes', async (count) => {
    const of = { key: 'p', name: '写真', captions: [] }
    const found = await pictureOf(of, count, { bytes, jobs: noisy })
    const size = found.kind === 'picture' ? found.picture.jpeg.length : 0
    expect(size).toBeGreaterThan(0)
    if (count <= 40) expect(size * count).toBeLessThanOrEqual(PHOTOS_MAX_BYTES)
  })

  test('of one that is not on the device, and of one that no browser draws', async () => {
    const of = { key: 'p', name: '写真', captions: [] }
    const without = { get: async () => undefined }
    expect(await pictureOf(of, 1, { bytes: without, jobs: noisy })).toEqual({ kind: 'absent' })
    const blind = { thumb: async () => undefined }
    expect(await pictureOf(of, 1, { bytes, jobs: blind })).toEqual({ kind: 'broken' })
  })
})

/** Every character of the font. */
const letters = (of: TrueType): string[] => {
  const found: string[] = []
  for (let code = 0x21; code < 0x30000; code += 1)
    if (of.glyphOf(code) !== 0) found.push(String.fromCodePoint(code))
  return found
}

describe('[issue 54] a part of a font draws what the whole font draws', () => {
  const all = letters(font)
  const inWhole = glyphsOf(new Uint8Array(bytes))

  test.each([1, 5, 45, 900, all.length])('in parts of %i characters, all of %s', (size) => {
    const wrong: string[] = []
    for (let from = 0; from < all.length; from += size) {
      const part = all.slice(from, from + size)
      const glyphs = part.map((letter) => font.glyphOf(letter.codePointAt(0) ?? 0))
      const inPart = glyphsOf(font.subset(glyphs))
      part.forEach((letter, at) => {
        if (JSON.stringify(inPart(at + 1)) !== JSON.stringify(inWhole(glyphs[at] ?? 0))) wrong.push(letter)
      })
    }
    expect(all.length).toBeGreaterThan(15_000)
    expect(wrong).toEqual([])
  })
})

describe('[issue 54] the signature of 立会者', () => {
  const point = fc.record({
    x: fc.double({ min: -50, max: 650 }),
    y: fc.double({ min: -50, max: 250 }),
    isNew: fc.boolean(),
  })
  const signedBy = (points: readonly { x: number; y: number; isNew: boolean }[]) =>
    points.reduce<Signature>((signature, { isNew, ...at }) => drawnTo(signature, at, isNew), NO_SIGNATURE)

  test('whatever is drawn stays in the field, and is read back from its draft as it was', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60 }), (points) => {
        const signature = { ...signedBy(points), name: '𠮷田 太郎', at: '2026-11-20T11:40:00+09:00' }
        for (const [x, y] of signature.strokes.flatMap(pointsOf)) {
          expect([x >= 0 && x <= PAD.width, y >= 0 && y <= PAD.height]).toEqual([true, true])
        }
        expect(signatureIn(JSON.parse(JSON.stringify(signature)))).toEqual(signature)
      }),
    )
  })

  test.each([
    ['nothing', []],
    ['a dot', [{ x: 10, y: 10, isNew: true }]],
    [
      'a dot by a finger that shakes',
      [
        { x: 10, y: 10, isNew: true },
        { x: 10.6, y: 10.4, isNew: false },
      ],
    ],
  ])('%s is no signature', (_, points) => {
    expect(isSigned(signedBy(points))).toBe(false)
  })

  test.each([[null], ['text'], [{ strokes: 'x', name: 1 }], [{ strokes: [['a']], name: 'n'.repeat(121) }]])(
    'a draft of %j is none',
    (values) => expect(signatureIn(values)).toEqual(NO_SIGNATURE),
  )

  test('it is drawn in a frame, named for who listens, with name and time; a name of 120 characters, too', async () => {
    const name = '𠮷'.repeat(120)
    const signature = {
      heading: '立会者の署名',
      rows: [
        { label: '立会者名', value: name },
        { label: '署名日時', value: '2026/11/20 11:40' },
      ],
      strokes: [[10, 10, 50, 90, 120, 20]],
      name: '立会者の署名 𠮷田',
    }
    const read = await readPdf((await drawn({ ...FACTS, signature })).file)
    expect(read.alts).toEqual(['立会者の署名 𠮷田'])
    expect(read.bookmarks).toContain('立会者の署名')
    expect(read.pages.join('').replaceAll('\n', '')).toContain(name)
  })
})
