/** J: too many calls. K: the app on another origin. L: what stands between. */
import type { Bench } from '../bench.ts'
import { mustWhenReading, wishWhenReading } from '../clause.ts'
import { isRow } from '../shapes.ts'
import { must, needed, wished } from '../verdict.ts'
import type { Answer } from '../wire.ts'

const READ = 'request/search?limit=1&offset=1'
const WAIT_MOST_S = 60

const retrySeconds = ({ headers }: Answer) => {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
}

const burst = (bench: Bench) =>
  bench.once('burst', async () => {
    needed(bench.options.burst > 0, '--burst がないので、行いません。')
    await bench.session()
    const answers = await Promise.all(
      Array.from({ length: bench.options.burst }, () => bench.rest('GET', READ)),
    )
    return { answers, refused: answers.filter(({ status }) => status === 429 || status === 503) }
  })

const preflight = (bench: Bench, url: string, method: string, names: string) => {
  needed(
    bench.options.origin !== '',
    '--origin がないので、行いません（アプリと同じ住所に置くなら要りません）。',
  )
  return bench.wire.call('OPTIONS', url, {
    signed: false,
    headers: { 'access-control-request-method': method, 'access-control-request-headers': names },
  })
}

const listed = (answer: Answer, name: string) =>
  new Set(
    (answer.headers.get(name) ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => each.trim()),
  )

function mustAllow(bench: Bench, answer: Answer, method: string, names: string): void {
  must(answer.status >= 200 && answer.status < 300, `OPTIONS が ${answer.status} でした。`)
  const allowed = answer.headers.get('access-control-allow-origin')
  must(
    allowed === bench.options.origin || allowed === '*',
    `Access-Control-Allow-Origin が ${allowed ?? 'ありません'}。`,
  )
  const methods = listed(answer, 'access-control-allow-methods')
  must(
    /^(GET|POST)$/.test(method) || methods.has(method.toLowerCase()) || methods.has('*'),
    `${method} が許されていません。`,
  )
  const headers = listed(answer, 'access-control-allow-headers')
  // a star does not stand for Authorization (Fetch, CORS-unsafe request-header names)
  const missing = names
    .split(',')
    .filter((name) => !headers.has(name) && (name === 'authorization' || !headers.has('*')))
  must(missing.length === 0, `許されていないヘッダー：${missing.join('、')}`)
}

async function exposed(bench: Bench): Promise<Set<string>> {
  needed(
    bench.options.origin !== '',
    '--origin がないので、行いません（アプリと同じ住所に置くなら要りません）。',
  )
  return listed(await bench.rest('GET', READ), 'access-control-expose-headers')
}

const ALL = 'authorization,content-type,idempotency-key,x-signature'

const musts = mustWhenReading([
  {
    id: 'J1',
    title: '多すぎる呼び出しは 429（または 503）で断り、ほかの誤りにしない',
    run: async (bench) => {
      const { answers } = await burst(bench)
      const other = answers.find(({ status }) => ![200, 429, 503].includes(status))
      must(other === undefined, `${other?.status} がありました。`)
    },
  },
  {
    id: 'J2',
    title: 'Retry-After の時間が過ぎると、通る',
    run: async (bench) => {
      const { refused } = await burst(bench)
      const seconds = Math.max(0, ...refused.map(retrySeconds).filter((each) => !Number.isNaN(each)))
      needed(refused.length > 0, '429 になりませんでした。')
      needed(seconds <= WAIT_MOST_S, `Retry-After が ${seconds} 秒で、待ちません。`)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      const { status } = await bench.rest('GET', READ)
      must(status === 200, `${seconds} 秒待っても ${status} でした。`)
    },
  },
  {
    id: 'K1',
    title: 'CORS：事前の確認（OPTIONS）が署名もトークンもなしで通り、要るヘッダーと PUT を許す',
    run: async (bench) => {
      const url = `${bench.at.rest}/noteLocationArea/conform`
      mustAllow(bench, await preflight(bench, url, 'PUT', ALL), 'PUT', ALL)
    },
  },
  {
    id: 'K2',
    title: 'CORS：x-total-count を見せる',
    run: async (bench) => {
      must((await exposed(bench)).has('x-total-count'), 'Access-Control-Expose-Headers にありません。')
    },
  },
  {
    id: 'K3',
    title: 'CORS：ETag を見せるなら、If-Match と If-None-Match を許す',
    run: async (bench) => {
      needed((await exposed(bench)).has('etag'), 'ETag を見せていません。')
      const names = `${ALL},if-match,if-none-match`
      mustAllow(
        bench,
        await preflight(bench, `${bench.at.rest}/noteLocationArea/conform`, 'PUT', names),
        'PUT',
        names,
      )
    },
  },
  {
    id: 'K4',
    title: 'CORS：401 などの誤りにも Access-Control-Allow-Origin',
    run: async (bench) => {
      needed(bench.options.origin !== '', '--origin がないので、行いません。')
      const answer = await bench.wire.call('GET', `${bench.at.rest}/${READ}`, {
        headers: { authorization: 'Bearer conform-none' },
      })
      const allowed = answer.headers.get('access-control-allow-origin')
      must(
        allowed === bench.options.origin || allowed === '*',
        `${answer.status} に付いていません（アプリには圏外に見えます）。`,
      )
    },
  },
  {
    id: 'K5',
    title: 'CORS：ファイル保管は access_token を許す',
    run: async (bench) => {
      const url = `${bench.at.files}/openapp/v1/files/index/conform`
      mustAllow(
        bench,
        await preflight(bench, url, 'POST', 'access_token,content-type'),
        'POST',
        'access_token,content-type',
      )
    },
  },
  {
    id: 'L1',
    title: 'REST の下の知らない住所は 404。ページや転送ではない',
    run: async (bench) => {
      const answer = await bench.rest('GET', 'conform-no-such-resource')
      must(answer.status === 404, `${answer.status} でした。`)
    },
  },
  {
    id: 'L2',
    title: '応答は application/json で、UTF-8',
    run: async (bench) => {
      const answer = await bench.rest('GET', READ)
      const type = (answer.headers.get('content-type') ?? '').toLowerCase()
      must(/^application\/(?:[\w.]+\+)?json\b/.test(type), `content-type が ${type || 'ありません'}。`)
      must(!type.includes('charset') || type.includes('utf-8'), `content-type が ${type} でした。`)
      must(answer.json !== undefined && !answer.text.includes('\uFFFD'), 'UTF-8 の JSON ではありません。')
    },
  },
])

const wishes = wishWhenReading([
  {
    id: 'J3',
    title: '429・503 に Retry-After（秒か日時）',
    without: 'アプリは自分の間隔（0.5〜30 秒）で呼び直します。',
    run: async (bench) => {
      const { refused } = await burst(bench)
      needed(refused.length > 0, '429 になりませんでした。')
      wished(
        refused.every(({ headers }) => headers.has('retry-after')),
        'Retry-After がありません。',
      )
      const wrong = refused.find(
        (answer) => Number.isNaN(retrySeconds(answer)) || retrySeconds(answer) > 86_400,
      )
      must(wrong === undefined, `Retry-After が ${wrong?.headers.get('retry-after')} でした。`)
    },
  },
  {
    id: 'K6',
    title: 'CORS：ETag、Retry-After、Date を見せる',
    without: '見えないものは、ないものとして動きます（C1、F1、J3）。',
    run: async (bench) => {
      const names = await exposed(bench)
      const missing = ['etag', 'retry-after', 'date'].filter((name) => !names.has(name))
      wished(missing.length === 0, `見えません：${missing.join('、')}`)
    },
  },
  {
    id: 'L3',
    title: '圧縮する中継が ETag を弱くしない',
    without: 'If-Match を付けずに書きます（C4）。',
    run: async (bench) => {
      const tagOf = async (coding: string) => {
        const answer = await bench.rest('GET', READ, undefined, { 'accept-encoding': coding })
        must(
          isRow(answer.json) || Array.isArray(answer.json),
          `accept-encoding: ${coding} で JSON が読めません。`,
        )
        return answer.headers.get('etag')
      }
      const plain = await tagOf('identity')
      needed(plain !== null, 'ETag がありません。')
      const packed = await tagOf('gzip, br')
      wished(packed !== null && !packed.startsWith('W/'), `圧縮すると ${packed ?? 'なくなります'}。`)
    },
  },
  {
    id: 'L4',
    title: 'データの応答に Cache-Control: no-store（または private, no-cache）',
    without: '端末のブラウザや中継に、データの写しが残ることがあります。',
    run: async (bench) => {
      const control = (await bench.rest('GET', READ)).headers.get('cache-control') ?? ''
      must(!/\bpublic\b/.test(control), `Cache-Control が ${control} でした。`)
      wished(/no-store|private|no-cache/.test(control), `Cache-Control が ${control || 'ありません'}。`)
    },
  },
])

export const networkClauses = [...musts, ...wishes]
