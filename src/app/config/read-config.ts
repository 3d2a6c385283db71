/** Reads `config.json` after the first paint, and validates its text if the text has changed. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { checkConfig, type CrmConfig, type RuntimeConfig } from '#schemas/device/runtime-config.ts'
import { readBody } from '#sync/transport/parse-json.ts'
import type { ConfigRead, StoredConfig } from './settings.ts'

type ReadConfig = { fetch: typeof globalThis.fetch; known: StoredConfig | null; version: string; i18n: I18n }

const ADDRESS = '/config.json'
const TIMEOUT_MS = 8_000
const CHARACTERS_MAX = 64_000
const CHARACTER_BYTES_MAX = 3
const addressRule = msg`「/」で始まるパスか「https://」で始まるURL（末尾に「/」なし）にしてください`
const segmentRule = msg`英数字と「.」「_」「-」の64文字以内にしてください`
const EXPECTED: Record<keyof RuntimeConfig | keyof CrmConfig, MessageDescriptor> = {
  apiEndpoint: addressRule,
  fileStoreEndpoint: addressRule,
  crmEndpoint: segmentRule,
  securityEndpoint: segmentRule,
  crmId: segmentRule,
  id: segmentRule,
  name: msg`1〜30文字の文字列にしてください`,
  crms: msg`「id」と「name」（どれも違うもの）のあるCRMを1〜8件、並べてください`,
  securityKey: msg`1〜200文字の文字列にしてください`,
  fileStoreErrorLogFolder: msg`1〜64文字の文字列にしてください`,
  imageSizeLimit: msg`1〜100の数（MB）にしてください`,
  appName: msg`1〜30文字の文字列にしてください`,
  codeLabels: msg`「site」「hatch」「stepladder」「observer」「guide」ごとの、番号（8文字まで）と名前（50文字まで）の表にしてください`,
  telemetry: msg`「endpoint」（「/」で始まるパスか「https://」で始まるURL、末尾に「/」なし）と、書くなら「sample」（0より大きく1以下の数）にしてください`,
  recoveryPublicKey: msg`3072〜8192ビットのRSA公開鍵（SPKIのbase64）にしてください`,
  minimumVersion: msg`「1.2.3」の形の文字列にしてください`,
}

export async function readConfig({ fetch, known, version, i18n }: ReadConfig): Promise<ConfigRead> {
  const text = await textOf(fetch)
  // A host without `config.json` may answer with an HTML page.
  const isJson = text !== null && /^\s*[{[]/.test(text)
  if (!isJson || (text === known?.text && version === known.version))
    return { kind: 'unchanged', problems: [] }
  return check(text, version, i18n)
}

async function textOf(fetch: typeof globalThis.fetch): Promise<string | null> {
  try {
    // `no-cache` makes the browser ask the server each time, because the file keeps its name when its content changes.
    const init = { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
    const answer = await fetch(ADDRESS, init)
    const body = answer.ok ? await readBody(answer.body, CHARACTERS_MAX * CHARACTER_BYTES_MAX) : null
    const text = body && new TextDecoder().decode(body)
    return text !== null && text.length <= CHARACTERS_MAX ? text : null
  } catch {
    return null
  }
}

async function check(text: string, version: string, i18n: I18n): Promise<ConfigRead> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'refused', problems: [i18n._(msg`設定 config.json を JSON として読めません`)] }
  }
  const checked = checkConfig(parsed)
  if (!checked.config)
    return { kind: 'refused', problems: checked.wrong.map((field) => problemOf(field, i18n)) }
  const { recoveryPublicKey } = checked.config
  if (recoveryPublicKey !== undefined && !(await isPublicKey(recoveryPublicKey)))
    return { kind: 'refused', problems: [problemOf('recoveryPublicKey', i18n)] }
  return {
    kind: 'read',
    config: { text, version, said: checked.config },
    problems: checked.unknown.map((field) =>
      i18n._(msg`設定 config.json の「${field}」はこの版にない項目です`),
    ),
  }
}

async function isPublicKey(text: string): Promise<boolean> {
  const { recoveryKeyOf } = await import('#data/encryption/recovery.ts')
  return recoveryKeyOf(text).then(
    () => true,
    () => false,
  )
}

function problemOf(field: string, i18n: I18n): string {
  const expected = EXPECTED[field.replace(/^crms\[\d+\]\./, '') as keyof typeof EXPECTED]
  return expected
    ? i18n._(msg`設定 config.json の ${field} が正しくありません。${i18n._(expected)}。`)
    : i18n._(msg`設定 config.json はJSON のオブジェクトにしてください`)
}
