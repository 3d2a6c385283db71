/** Reads a support file as whoever gets one should: bounded, parsed by the schema of its writer, or a clear word why not. */
import { type } from 'arktype'
import {
  SUPPORT_KIND,
  SUPPORT_MAX,
  SUPPORT_VERSION,
  supportFile,
  type SupportFile,
} from '#schemas/device/support-file.ts'

/** Bytes: a mail program may have added some. */
export const READ_MAX = 2 * SUPPORT_MAX
/** Problems that are told. */
const MOST_TOLD = 5

export type Read = { kind: 'file'; file: SupportFile } | { kind: 'wrong'; problem: string }

const wrong = (problem: string): Read => ({ kind: 'wrong', problem })

export function readSupportFile(bytes: Uint8Array): Read {
  if (bytes.length > READ_MAX) return wrong(`大きすぎます。支援ファイルは ${SUPPORT_MAX} バイトまでです。`)
  const value = parsed(new TextDecoder().decode(bytes))
  if (typeof value !== 'object' || value === null)
    return wrong('JSON として読めません。途中で切れているか、別のファイルです。')
  if (Reflect.get(value, 'kind') !== SUPPORT_KIND) return wrong('支援ファイルではありません。')
  const version: unknown = Reflect.get(value, 'version')
  if (version !== SUPPORT_VERSION)
    return wrong(
      `版 ${plain(String(version))} の支援ファイルです。ここで読めるのは版 ${SUPPORT_VERSION} だけです。その版のアプリと一緒に配られた npm run bundle を使ってください。`,
    )
  const file = supportFile(value)
  if (!(file instanceof type.errors)) return { kind: 'file', file }
  const told = [...file].slice(0, MOST_TOLD).map(({ path, expected }) => `  ${path.join('.')}：${expected}`)
  return wrong(plain(`支援ファイルの中が壊れています。\n${told.join('\n')}`))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

/** What a terminal would act on is left out: the file came from somebody. */
export const plain = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '�')
