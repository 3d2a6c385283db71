import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { drawLabels, labelsOf, type Label } from '#features/report-pdf/labels.ts'
import { createSheets } from '#features/report-pdf/pdf/sheets.ts'
import { pixelsOf, readerWasm } from '../../support/code-pictures.ts'
import { type GreyPage, hasPoppler, popplerPages, popplerText } from '../../support/pdf-reader.ts'
import { requestOn } from '../../support/visit-records.ts'
import { whole } from '../request/detail/open-view.tsx'

const PATH = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const ORIGIN = 'https://genba.example.jp'

const drawn = async (labels: readonly Label[]) => {
  const sheets = await createSheets(Uint8Array.from(readFileSync(PATH)).buffer)
  const file = await drawLabels({ title: 'QRラベル 東雲', labels }, sheets, {
    signal: new AbortController().signal,
    breathe: async () => undefined,
    onProgress: () => undefined,
  })
  return new Uint8Array(await file.arrayBuffer())
}

const greyPixels = ({ width, height, at }: GreyPage) => {
  const data = Uint8ClampedArray.from({ length: width * height }, (_, n) =>
    at(n % width, Math.floor(n / width)),
  )
  return pixelsOf({ width, height, data })
}

const machine = (deviceId: string, deviceModel: string | null = null) => ({
  deviceId,
  deviceModel,
  site1: 'A棟',
  site2: '地下2階',
})
const requestWith = (id: string, devices: ReturnType<typeof machine>[]) =>
  requestOn(id, '2026-11-20', {
    locationName: '東雲',
    detail: { ...(whole.detail ?? { goods: [], safety: [], underPitSurvey: [] }), devices },
  })

describe('[decisions/report-pdf] QR labels', () => {
  test('each machine of the requests has one, with an address that opens it', () => {
    const labels = labelsOf(
      [
        requestWith('1', [machine('D/2', 'ポンプ'), machine('D 1')]),
        requestWith('2', [machine('D/2', 'ポンプ')]),
      ],
      ORIGIN,
    )
    expect(labels).toEqual([
      { address: `${ORIGIN}/report/D%201`, lines: ['A棟 地下2階', '東雲', 'D 1'] },
      { address: `${ORIGIN}/report/D%2F2`, lines: ['ポンプ', 'A棟 地下2階', '東雲', 'D/2'] },
    ])
  })

  test.skipIf(!hasPoppler())(
    '24 are on a sheet; all codes are read from the printed page, and all texts are found',
    async () => {
      const labels = Array.from({ length: 26 }, (_, at) => ({
        address: `${ORIGIN}/report/DEV-${1000 + at}`,
        lines: [
          at === 3 ? '長い名前の水中ポンプ'.repeat(6) : `水中ポンプ ${at}号機`,
          'A棟 地下2階',
          'ベイサイド東雲',
          `DEV-${1000 + at}`,
        ],
      }))
      const bytes = await drawn(labels)
      const { text, errors } = popplerText(bytes)
      expect(errors).toBe('')
      for (const { lines } of labels) expect(text).toContain(lines.at(-1))
      expect(text).toContain('水中ポンプ 25号機')
      prepareZXingModule({ overrides: { wasmBinary: readerWasm() } })
      const pages = popplerPages(bytes, 150)
      const codes = await Promise.all(
        pages.map((page) => readBarcodes(greyPixels(page), { formats: ['QRCode'], maxNumberOfSymbols: 255 })),
      )
      expect(codes.map((each) => each.length)).toEqual([24, 2])
      expect(
        codes
          .flat()
          .map((code) => code.text)
          .toSorted(),
      ).toEqual(labels.map(({ address }) => address))
    },
    60_000,
  )
})
