/** A: the probe, the signature, login, and tokens that are used once. */
import { login } from '../bench.ts'
import type { Bench } from '../bench.ts'
import { mustWhenReading } from '../clause.ts'
import { failure, shaped, tokens } from '../shapes.ts'
import { must } from '../verdict.ts'
import type { Answer } from '../wire.ts'

const anySearch = (bench: Bench) => `${bench.at.rest}/request/search?limit=1&offset=1`

const isRefusal = ({ status }: Answer) => status === 401 || status === 498

const refreshed = (bench: Bench, refreshToken: string) =>
  bench.wire.call('POST', bench.at.refresh, { body: { refreshToken } })

export const accessClauses = mustWhenReading([
  {
    id: 'A1',
    title: '接続確認の住所は、署名もトークンもなしで応答する',
    run: async (bench) => {
      const { status } = await bench.wire.call('GET', bench.at.probe, { signed: false })
      must(status < 500, `${status} でした。`)
    },
  },
  {
    id: 'A2',
    title: 'ログインは、トークンの組と利用者（id、userFlag は数）を返す',
    run: async (bench) => {
      await bench.signIn()
    },
  },
  {
    id: 'A3',
    title: 'パスワードの間違いは、400（error つき）か 401',
    run: async (bench) => {
      const { user } = bench.options
      const answer = await login(bench.wire, bench.at, { user, password: 'conform-wrong-password' })
      must(answer.status === 400 || answer.status === 401, `${answer.status} でした。`)
      if (answer.status === 400) shaped(failure, answer.json, '400 の本文')
    },
  },
  {
    id: 'A4',
    title: '署名の違う呼び出し、署名のない呼び出しは 401',
    run: async (bench) => {
      const { accessToken } = await bench.session()
      for (const signature of ['0'.repeat(64), '']) {
        const headers = { authorization: `Bearer ${accessToken}`, 'x-signature': signature }
        const { status } = await bench.wire.call('GET', anySearch(bench), { headers, signed: false })
        must(status === 401, `${signature ? '違う署名' : '署名なし'}で ${status} でした。`)
      }
    },
  },
  {
    id: 'A5',
    title: 'トークンのない呼び出し、無効なトークンは 401（または 498）。ページや転送ではない',
    run: async (bench) => {
      for (const headers of [{}, { authorization: 'Bearer conform-no-such-token' }] as Record<
        string,
        string
      >[]) {
        const answer = await bench.wire.call('GET', anySearch(bench), { headers })
        must(isRefusal(answer), `${answer.status} でした。`)
      }
    },
  },
  {
    id: 'A6',
    title: '更新は新しい組を返し、その組で呼べる',
    run: async (bench) => {
      const { refreshToken, accessToken } = await bench.signIn()
      const answer = await refreshed(bench, refreshToken)
      must(answer.status === 200, `${answer.status} でした。`)
      const pair = shaped(tokens, answer.json, '更新の応答')
      must(pair.refreshToken !== refreshToken && pair.accessToken !== accessToken, '前と同じトークンでした。')
      const headers = { authorization: `Bearer ${pair.accessToken}` }
      const { status } = await bench.wire.call('GET', anySearch(bench), { headers })
      must(status === 200, `新しいトークンで ${status} でした。`)
    },
  },
  {
    id: 'A7',
    title: '更新のトークンは一度だけ使える。二度目は 401',
    run: async (bench) => {
      const { refreshToken } = await bench.signIn()
      await refreshed(bench, refreshToken)
      const again = await refreshed(bench, refreshToken)
      must(isRefusal(again), `二度目が ${again.status} でした。`)
    },
  },
  {
    id: 'A8',
    title: '同じ更新のトークンを同時に使っても、新しい組は一つだけ',
    run: async (bench) => {
      const { refreshToken } = await bench.signIn()
      const all = await Promise.all(Array.from({ length: 6 }, () => refreshed(bench, refreshToken)))
      const won = all.filter(({ status }) => status === 200).length
      must(won === 1, `6 件のうち ${won} 件に新しい組が出ました。`)
    },
  },
  {
    id: 'A9',
    title: '署名は、送ったままのパスと問い合わせ（日本語は %E3… のまま）で確かめる',
    run: async (bench) => {
      await bench.search({ locationName: 'ポンプ 室（１）&+', limit: 1, offset: 1 })
      await bench.search({ customerName: "%2F'!*~", limit: 1, offset: 1 })
    },
  },
])
