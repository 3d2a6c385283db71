import { expect, test } from 'vitest'
import { createHttp } from '#sync/transport/http.ts'

test('[spec 7] the probe reads no body: of an answer that never ends it knows at once that there is one', async () => {
  let isCancelled = false
  const endless = new ReadableStream({
    cancel() {
      isCancelled = true
    },
  })
  const fetch = async () => new Response(endless, { status: 500 })
  const http = createHttp({ fetch, securityKey: 'k', timeoutMs: 60 })
  const answer = await http({
    method: 'GET',
    url: 'http://crm.test/api/check',
    signed: false,
    withoutBody: true,
  })
  expect(answer).toMatchObject({ kind: 'answer', status: 500, isJson: false })
  expect(isCancelled).toBe(true)
})
