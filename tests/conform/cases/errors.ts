/** G: how a refusal looks. */
import { mustWhenWriting } from '../clause.ts'
import { anyVisit, idOf, post, put } from '../records.ts'
import { failure, shaped } from '../shapes.ts'
import { must } from '../verdict.ts'

const isRefusal = (status: number) => status === 400 || status === 422

export const errorClauses = mustWhenWriting([
  {
    id: 'G1',
    title: '内容の誤りは 400 か 422 で、本文は {"errors": […]}、{"errors": "…"}、{"error": "…"} のどれか',
    run: async (bench) => {
      const { status, json } = await post(bench, 'noteLocationArea', {
        requestId: idOf(await anyVisit(bench)),
        note: null,
      })
      must(isRefusal(status), `${status} でした。`)
      shaped(failure, json, `${status} の本文`)
    },
  },
  {
    id: 'G2',
    title: '壊れた JSON は 400 か 422（500 は「結果が分からない」になる）',
    run: async (bench) => {
      const { status, json } = await bench.rest('POST', 'noteLocationArea/', '{"requestId": ')
      must(isRefusal(status), `${status} でした。`)
      shaped(failure, json, `${status} の本文`)
    },
  },
  {
    id: 'G3',
    title: 'ない記録への PUT は 404',
    run: async (bench) => {
      const { status } = await put(bench, 'noteLocationArea/conform-no-such-id', { note: '適合試験' })
      must(status === 404, `${status} でした。`)
    },
  },
  {
    id: 'G4',
    title: 'ない依頼への登録は 404 か 400・422。記録はできない',
    run: async (bench) => {
      const { status } = await post(bench, 'noteLocationArea', {
        requestId: 'conform-no-such-id',
        note: '適合試験',
      })
      must(status === 404 || isRefusal(status), `${status} でした。`)
    },
  },
])
