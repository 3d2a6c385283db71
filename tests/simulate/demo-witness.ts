/** The demo CRM, signature and all, in the place of the model CRM: slower, and written by someone else. */
import { createDemoCrm } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import { createHttp, type HttpCall } from '#sync/transport/http.ts'
import { LOGIN_URL, REST, type Crm, type CrmRequest } from './model-crm.ts'
import type { CrmMaker } from './run.ts'

const ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}
const OTHER = 'demo7'

export const demoWitness: CrmMaker = async ({ time, today, honourIdempotency, tokenLifeMs, etags }) => {
  const now = () => time.now
  const demo = createDemoCrm({
    env: ENV,
    store: createMemoryStore(),
    now,
    honourIdempotency,
    accessTokenLifeMs: tokenLifeMs,
    etags: etags !== 'none',
  })
  const http = createHttp({
    fetch: (input, init) => demo.fetch(new Request(input, init)),
    securityKey: ENV.securityKey,
  })
  // signing takes a real moment: virtual time waits for it
  const act = (call: HttpCall): Promise<Answer> => time.outside(http(call))
  const world = await demo.inspect()
  // the model CRM has nothing of any request either
  const has = new Set(
    [...world.customerLocationChangeRequests, ...world.locationContactChangeRequests, ...world.safety].map(
      ({ requestId }) => requestId,
    ),
  )
  const isBlank = (row: { id: string; quickReport?: unknown }) => !row.quickReport && !has.has(row.id)
  const requests = world.requests(today, today).filter(isBlank).slice(0, 4)

  const asOther = async (call: Pick<HttpCall, 'method' | 'url'>, body: object) => {
    const form = new URLSearchParams({ userName: OTHER, password: 'password' }).toString()
    const contentType = 'application/x-www-form-urlencoded'
    const session = await act({ method: 'POST', url: LOGIN_URL, body: form, contentType })
    const { accessToken } = session.kind === 'answer' ? (session.body as { accessToken: string }) : {}
    const headers = { Authorization: `Bearer ${accessToken}` }
    await act({ ...call, body: JSON.stringify(body), headers })
  }
  const report = async ({ id, workingDate }: CrmRequest) => {
    const { quickReports } = await time.outside(demo.inspect())
    return quickReports.find((each) => each.requestId === id && each.workingDate === workingDate) ?? null
  }
  const crm: Crm = {
    requests: requests.map(({ id, workingDate, workingDateType }) => ({ id, workingDate, workingDateType })),
    act,
    report,
    otherEnters: ({ id, workingDate }, inTime) =>
      asOther({ method: 'POST', url: `${REST}/quickReport/` }, { requestId: id, workingDate, inTime }),
    async otherEdits(request, edit) {
      const found = await report(request)
      if (!found) return
      const { outTime, type, reason1, reason2, reportContent } = found
      const body = { outTime, type, reason1, reason2, reportContent, ...edit(found) }
      await asOther({ method: 'PUT', url: `${REST}/quickReport/${found.id}` }, body)
    },
  }
  return { crm, users: ['demo5', 'demo6'] }
}
