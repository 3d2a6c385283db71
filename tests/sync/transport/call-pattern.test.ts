import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callPattern, endpointsOf } from '#sync/transport/endpoints.ts'
import { createHttp, type EndedCall } from '#sync/transport/http.ts'

const ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'k',
  fileStoreEndpoint: '/doccloud',
}
const endpoints = endpointsOf(ENV, 'https://crm.test')
const ID = 'CUSTOMER-4711'

const contract: { paths: object } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/generated/openapi.json'), 'utf8'),
)
const paths = Object.keys(contract.paths)

describe('[EX7] the pattern of a call', () => {
  test.each(paths)('every word of %s is known, and its ids are not', (path) => {
    const url = `https://crm.test${path.replaceAll(/\{\w+\}/g, ID)}?workingDate=${ID}#${ID}`
    const pattern = callPattern(url, endpoints)
    const bases = /^\/api\/v1\/crm-rest\/spa|^\/doccloud/
    const expected = bases.test(path)
      ? path
          .replace('/api/v1/crm-rest/spa', '{rest}')
          .replace('/doccloud', '{fs}')
          .replaceAll(/\{(?!rest|fs)\w+\}/g, '{}')
      : /^\{(?:login|refresh|probe)\}$/
    expect(pattern).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  test('of an address of nobody, or of another CRM, nothing is left', () => {
    for (const url of [`https://else.test/${ID}`, 'https://crm.test/api/v2/x', `data:${ID}`])
      expect(callPattern(url, endpoints)).toBe('{other}')
  })

  test('whatever stands in the place of an id, it does not get through', () => {
    const id = fc
      .string({ minLength: 6, maxLength: 30 })
      .filter((text) => !/^[\w-]*$/.test(text) || /\d/.test(text))
    fc.assert(
      fc.property(id, (text) => {
        const url = `${endpoints.rest}/request/${encodeURIComponent(text)}?name=${encodeURIComponent(text)}`
        expect(callPattern(url, endpoints)).toBe('{rest}/request/{}')
      }),
    )
  })
})

describe('a call that has ended is told', () => {
  const told: EndedCall[] = []
  const httpWith = (fetch: typeof globalThis.fetch) => {
    told.length = 0
    return createHttp({ fetch, securityKey: 'k', timeoutMs: 50, onEnded: (call) => told.push(call) })
  }
  const url = `${endpoints.rest}/request/${ID}`

  test('with status, time and the size of what went and came', async () => {
    const http = httpWith(async () => Response.json({ a: 1 }, { status: 422 }))
    await http({ method: 'PUT', url, body: '{"id":1}' })
    expect(told).toEqual([
      { method: 'PUT', url, status: 422, sent: 8, received: 7, tookMs: expect.any(Number) },
    ])
    expect(told[0]?.tookMs).toBeGreaterThanOrEqual(0)
  })

  test('an upload by the size of its file', async () => {
    const form = new FormData()
    form.append('Filedata', new Blob([new Uint8Array(2_048)]), 'a.jpg')
    await httpWith(async () => Response.json({ success: true }))({ method: 'POST', url, form })
    expect(told[0]?.sent).toBe(2_048)
  })

  test('without an answer its status is 0; one that broke off has the status it began with', async () => {
    await httpWith(async () => Promise.reject(new TypeError('Failed to fetch')))({ method: 'GET', url })
    expect(told).toMatchObject([{ status: 0, received: 0 }])
    const broken = new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) })
    await httpWith(async () => new Response(broken))({ method: 'GET', url })
    expect(told).toMatchObject([{ status: 200, received: 0 }])
  })

  test('what did not leave is none', async () => {
    const http = httpWith(async () => Response.json({}))
    await http({ method: 'GET', url, lease: { allows: () => false } })
    expect(told).toEqual([])
  })
})
