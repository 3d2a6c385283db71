/** The arguments of `npm run conform`, parsed and bounded; what is wrong with them is said in Japanese. */
import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type } from 'arktype'

/** Where the CRM is and how it is called, by the names of `config.json`. */
const endpoints = type({
  apiEndpoint: '1 <= string <= 500',
  crmEndpoint: /^[\w.-]{1,64}$/,
  securityEndpoint: /^[\w.-]{1,64}$/,
  securityKey: '1 <= string <= 500',
  fileStoreEndpoint: '1 <= string <= 500',
  imageSizeLimit: '1 <= number <= 100',
})
export type Endpoints = typeof endpoints.infer

export interface ConformOptions extends Endpoints {
  /** Origin of the CRM, without a slash at its end. */
  url: string
  user: string
  password: string
  full: boolean
  /** Empty: all. */
  only: string[]
  /** Requests that records may hang on; empty: any of the coming days. */
  requests: string[]
  /** Where the app is served from, for CORS; empty: from the CRM's own origin. */
  origin: string
  /** The installed host that is tried instead of the CRM; empty: none. */
  host: string
  /** Milliseconds for one call. */
  timeoutMs: number
  /** Calls at once that shall meet the limit of calls; 0: not tried. */
  burst: number
  junit: string
}

export type Parsed =
  | { kind: 'options'; options: ConformOptions }
  | { kind: 'help' }
  | { kind: 'clauses' }
  | { kind: 'wrong'; problems: string[] }

const OPTIONS = {
  url: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  key: { type: 'string' },
  config: { type: 'string' },
  full: { type: 'boolean' },
  only: { type: 'string' },
  request: { type: 'string' },
  origin: { type: 'string' },
  host: { type: 'string' },
  timeout: { type: 'string' },
  burst: { type: 'string' },
  junit: { type: 'string' },
  clauses: { type: 'boolean' },
  help: { type: 'boolean' },
} satisfies NonNullable<ParseArgsConfig['options']>

export const HELP = `使い方: npm run conform -- --url https://test.example.jp --user USER [--password PASSWORD]

  --url URL         CRM の試験環境（https://… または http://…）
  --user USER       試験用の利用者（依頼を開ける役割）
  --password PASS   パスワード。環境変数 CONFORM_PASSWORD でも渡せます
  --key KEY         署名の鍵。環境変数 CONFORM_KEY でも渡せます
  --config FILE     アプリの config.json（apiEndpoint などをここから読みます）
  --full            記録を作り、変える試験も行います（本番では使わないでください）
  --request ID,ID   記録を作ってよい依頼の id（--full のとき）
  --only B2,E1      この番号だけ
  --host URL        アプリを置いたホストを確かめます（M）。--user があれば、access_token が届くかも
  --origin URL      アプリを別の住所に置くとき、その住所（CORS の試験）
  --burst N         N 件を同時に読み、429 を確かめます（0〜500、既定は 0 で、行いません）
  --timeout SEC     一回の呼び出しを待つ秒数（1〜120、既定は 20）
  --junit FILE      結果を JUnit の XML でも書きます
  --clauses         番号の一覧を表示します`

const DEFAULTS = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: '',
  fileStoreEndpoint: '/doccloud',
  imageSizeLimit: 10,
}

/** @param env the process's variables @param readText reads a file, throws where it cannot */
export function parseOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
  readText = (path: string) => readFileSync(path, 'utf8'),
): Parsed {
  let given: ReturnType<typeof readArgs>
  try {
    given = readArgs(args)
  } catch (error) {
    return {
      kind: 'wrong',
      problems: [`引数が正しくありません：${error instanceof Error ? error.message : ''}`],
    }
  }
  if (given.help) return { kind: 'help' }
  if (given.clauses) return { kind: 'clauses' }
  const problems: string[] = []
  const host = given.host === undefined ? '' : originOf('--host', given.host, problems)
  // a host without a user is tried as far as nobody signs in
  const isAnonymous = host !== '' && given.user === undefined
  const config = given.config === undefined ? {} : configOf(given.config, readText, problems)
  const key = given.key ?? env['CONFORM_KEY'] ?? (isAnonymous ? 'none' : undefined)
  const whole = endpoints({ ...DEFAULTS, ...config, ...(key === undefined ? {} : { securityKey: key }) })
  if (whole instanceof type.errors) problems.push(...whole.map(({ path }) => problemOf(path.join('.'))))
  const options: ConformOptions = {
    ...(whole instanceof type.errors ? DEFAULTS : whole),
    url: originOf('--url', given.url ?? (host || undefined), problems),
    user: isAnonymous ? '' : textOf('--user', given.user, problems),
    password: isAnonymous
      ? ''
      : textOf(
          '--password（または環境変数 CONFORM_PASSWORD）',
          given.password ?? env['CONFORM_PASSWORD'],
          problems,
        ),
    host,
    full: given.full ?? false,
    only: listOf('--only', given.only, /^[A-M]\d{1,2}$/, problems),
    requests: listOf('--request', given.request, /^.{1,64}$/, problems),
    origin: given.origin === undefined ? '' : originOf('--origin', given.origin, problems),
    timeoutMs: numberOf('--timeout', given.timeout, [1, 120], 20, problems) * 1000,
    burst: numberOf('--burst', given.burst, [0, 500], 0, problems),
    junit: given.junit ?? '',
  }
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'options', options }
}

const readArgs = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS }).values

const problemOf = (name: string) =>
  name === 'securityKey'
    ? '署名の鍵（--key、環境変数 CONFORM_KEY、--config の securityKey）がありません。'
    : `設定の ${name} が正しくありません。`

function configOf(path: string, readText: (path: string) => string, problems: string[]): object {
  try {
    const read: unknown = JSON.parse(readText(path))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) {
      if ('crms' in read)
        problems.push(
          `--config ${path} に crms があります。確かめる一つの項目を外側に書き、crms を除いてください。`,
        )
      return read
    }
  } catch {
    // said below
  }
  problems.push(`--config ${path} を JSON として読めません。`)
  return {}
}

function originOf(name: string, text: string | undefined, problems: string[]): string {
  if (!text) problems.push(`${name} がありません。`)
  else if (text.length > 500 || !URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    problems.push(`${name} は https:// か http:// で始まる住所にしてください。`)
  else if (new URL(text).pathname !== '/')
    problems.push(`${name} に書けるのは住所の頭だけです（パスは --config の apiEndpoint に）。`)
  else return new URL(text).origin
  return ''
}

function textOf(name: string, text: string | undefined, problems: string[]): string {
  if (!text || text.length > 500) problems.push(`${name} がありません。`)
  return text ?? ''
}

function listOf(name: string, text: string | undefined, each: RegExp, problems: string[]): string[] {
  if (text === undefined) return []
  const list = text.split(',').map((one) => one.trim())
  const wrong = list.filter((one) => !each.test(one))
  if (wrong.length > 0 || list.length > 200)
    problems.push(`${name} が正しくありません：${wrong.join(' ').slice(0, 100)}`)
  return list
}

function numberOf(
  name: string,
  text: string | undefined,
  [least, most]: [number, number],
  fallback: number,
  problems: string[],
): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  problems.push(`${name} は ${least} から ${most} までの整数にしてください。`)
  return fallback
}
