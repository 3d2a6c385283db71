/**
 * M: an installed host, `npm run conform -- --host https://…`. It serves the app, and what the CRM, the file store and the
 * collector answer through it is nothing but data (decisions/hosting). Tried as a browser would ask, by what comes
 * back.
 */
import { FOREIGN_HEADERS, FOREIGN_PASSED } from '#build/content-policy.ts'
import type { Bench } from './bench.ts'
import type { Clause } from './clause.ts'
import { fileToken, shaped } from './shapes.ts'
import { must, needed } from './verdict.ts'
import type { Answer } from './wire.ts'

/** What a browser asks for to show, to run or to use, and not for a `fetch`. */
const DESTINATIONS = ['document', 'iframe', 'script', 'worker', 'serviceworker', 'style', 'image', 'object']
/** Those of the connection and of the host itself. */
const OF_HOST =
  /^(?:server|via|connection|keep-alive|transfer-encoding|strict-transport-security|x-request-id)$/
/** By which a server says that it speaks HTTP/3 itself. */
const OWN_ALT_SVC = /^h3=":\d+"; ma=\d+$/

const ask = (bench: Bench, path: string, destination = 'empty', headers: Record<string, string> = {}) =>
  bench.wire.call('GET', new URL(path, bench.options.host).href, {
    signed: false,
    headers: { 'sec-fetch-dest': destination, ...headers },
  })

/** Paths of this host that others answer: none is the CRM's where that has an origin of its own. */
function behind({ at, options }: Bench): string[] {
  const { origin } = new URL(options.host)
  const paths = [at.probe, `${at.rest}/request/search`, `${at.files}/openapp/v1/folders/index/conform`]
    .map((address) => new URL(address))
    .filter((address) => address.origin === origin)
    .map(({ pathname }) => pathname)
  needed(paths.length > 0, 'CRM とファイル保管が別の住所にあるので、中継していません。')
  return paths
}

async function eachBehind(bench: Bench, run: (path: string) => Promise<void>): Promise<void> {
  for (const path of behind(bench)) await run(path)
}

/** Directives of each policy that holds: a comma begins the next. */
const policiesOf = ({ headers }: Answer) =>
  (headers.get('content-security-policy') ?? '')
    .split(',')
    .map((policy) => new Map(policy.split(';').map((each) => [each.trim().split(' ')[0] ?? '', each.trim()])))

/** Each source is a text by its hash, or a folder or file. */
const isNarrow = (directive: string | undefined) =>
  directive
    ?.split(' ')
    .slice(1)
    .every(
      (source) =>
        /^'(?:sha\d{3}-|nonce-|none'|strict-dynamic')/.test(source) ||
        /^(?:https:\/\/)?[^/']+\/.+/.test(source),
    ) ?? false

const hasWord = (directive: string | undefined, word: string) => directive?.split(' ').includes(word) ?? false

const clause = (id: string, title: string, run: Clause['run']): Clause => ({
  ...{ id, title, run },
  level: 'must',
  mode: 'read',
})

export const hostClauses: readonly Clause[] = [
  clause('M1', 'アプリのページとファイルに、リリースのヘッダーと HSTS が付く', async (bench) => {
    for (const path of ['/', '/request', '/sw.js', '/version.json']) {
      const { status, headers } = await ask(bench, path, 'document')
      must(status === 200, `${path} が ${status} でした。`)
      for (const name of ['content-security-policy', 'strict-transport-security'])
        must(headers.has(name), `${path} に ${name} がありません。`)
      must(headers.get('x-content-type-options') === 'nosniff', `${path} に nosniff がありません。`)
      must(
        /no-cache|no-store/.test(headers.get('cache-control') ?? ''),
        `${path} が no-cache ではありません。`,
      )
    }
  }),
  clause(
    'M2',
    'アプリの CSP は、スクリプトと worker をフォルダーかハッシュで許し、住所の全部では許さない',
    async (bench) => {
      const policies = policiesOf(await ask(bench, '/', 'document'))
      for (const name of ['script-src', 'worker-src'])
        must(
          policies.some((policy) => isNarrow(policy.get(name))),
          `${name} が、この住所のすべてを許しています。`,
        )
      must(
        policies.every((policy) => !/'unsafe-(?:inline|eval)'/.test(policy.get('script-src') ?? '')),
        'unsafe-inline か unsafe-eval があります。',
      )
      must(
        policies.some(
          (policy) =>
            hasWord(policy.get('require-trusted-types-for'), "'script'") &&
            policy.has('trusted-types') &&
            !/ (?:default|\*|'allow-duplicates')/.test(policy.get('trusted-types') ?? ''),
        ),
        'Trusted Types の名前が一つに決まっていません。',
      )
      must(
        policies.some((policy) => policy.has('frame-ancestors')),
        'frame-ancestors がありません。',
      )
    },
  ),
  clause('M3', 'ないファイルは 404。ページの住所だけがアプリになる', async (bench) => {
    for (const path of ['/assets/conform-none.js', '/conform-none.js', '/.git/config']) {
      const { status } = await ask(bench, path)
      must(status === 404, `${path} が ${status} でした。`)
    }
    const { status, text } = await ask(bench, '/request/conform', 'document')
    must(status === 200 && text.includes('<div id="root">'), `/request/conform が ${status} でした。`)
  }),
  clause('M4', '中継する住所を、fetch のほかの求め（Sec-Fetch-Dest）には 403 で断る', (bench) =>
    eachBehind(bench, async (path) => {
      for (const destination of DESTINATIONS) {
        const { status } = await ask(bench, path, destination)
        must(status === 403, `${path} を ${destination} として求めると ${status} でした。`)
      }
      const { status } = await ask(bench, path)
      must(status !== 403, `${path} を fetch で求めても 403 でした。アプリが使えません。`)
    }),
  ),
  clause('M5', '中継する応答は、どれも文書にならない（CSP の sandbox、attachment、nosniff、CORP）', (bench) =>
    eachBehind(bench, async (path) => {
      const { headers } = await ask(bench, path)
      for (const [name, value] of Object.entries(FOREIGN_HEADERS))
        must(
          headers.get(name) === value,
          `${path} の ${name} が ${headers.get(name) ?? 'ありません'}。「${value}」に。`,
        )
    }),
  ),
  clause('M6', '中継する応答のヘッダーは、決まったものだけが通る', (bench) =>
    eachBehind(bench, async (path) => {
      const { headers } = await ask(bench, path)
      const listed = [...FOREIGN_PASSED, ...Object.keys(FOREIGN_HEADERS)].map((name) => name.toLowerCase())
      const others = [...headers].filter(
        ([name, value]) =>
          !listed.includes(name) && !OF_HOST.test(name) && !(name === 'alt-svc' && OWN_ALT_SVC.test(value)),
      )
      must(
        others.length === 0,
        `${path} に、通してはいけないもの：${others.map(([name]) => name).join('、')}`,
      )
    }),
  ),
  clause('M7', 'access_token（下線のあるヘッダー）が、ファイル保管に届く', async (bench) => {
    behind(bench)
    needed(bench.options.user !== '', '--user がないので、行いません。')
    const { userInfo, accessToken } = await bench.session()
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await bench.wire.call('POST', `${bench.at.files}/token`, { body: { userInfo }, headers })
    must(answer.status === 200, `token が ${answer.status} でした。Authorization が届いていますか。`)
    const { access_token } = shaped(fileToken, answer.json, 'token')
    const url = `${bench.at.files}/openapp/v1/folders/index/conform`
    const { status } = await bench.wire.call('GET', url, { headers: { access_token }, signed: false })
    must(
      status !== 401,
      '新しいトークンでも 401 でした。中継が access_token を落としています（nginx なら underscores_in_headers on）。このままでは写真が一枚も送信できません。',
    )
  }),
]
