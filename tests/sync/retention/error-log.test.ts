import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { sendErrorLog } from '#app/diagnostics/support/gather-support.ts'
import { newScheduler } from '../../support/scheduler.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { createDemoCrm } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import { createHttp } from '#sync/transport/http.ts'
import { login } from '#sync/transport/login.ts'
import { loginCall } from '#sync/transport/endpoints.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

const newLog = () =>
  createErrorLog({ now: () => NOW, session: () => null, agent: '', screen: () => '/request', scope: '' })

describe('[spec 4] sending the error log', () => {
  const env = {
    apiEndpoint: '/api/v1',
    crmEndpoint: 'crm',
    securityEndpoint: 'security',
    securityKey: 'demo-key',
    fileStoreEndpoint: '/doccloud',
    fileStoreErrorLogFolder: 'error-logs',
    imageSizeLimit: '10',
    appName: '現場ワーク',
  }
  const origin = 'https://crm.test'

  async function prepare(fetchOf = (real: typeof fetch): typeof fetch => real) {
    const crm = createDemoCrm({ env, store: createMemoryStore(), now: () => NOW })
    const fetch: typeof globalThis.fetch = (...call) => crm.fetch(new Request(...call))
    const http = createHttp({ fetch, securityKey: env.securityKey })
    const draft = { userName: 'demo6', password: 'password' }
    const signedIn = login(await http(loginCall(`${origin}/api/v1/crm/login`, draft)), draft.userName)
    if (signedIn.kind !== 'signed-in') throw new Error(signedIn.kind)
    const sessions = {
      get: () => signedIn.session,
      read: async () => signedIn.session,
      replace: async () => false,
    }
    const log = newLog()
    await log.add(new Error('最初'))
    const send = () =>
      sendErrorLog({
        env,
        origin,
        fetch: fetchOf(fetch),
        schedulers: { crm: newScheduler(), files: newScheduler() },
        locks: pageLocks(),
        sessions,
        log,
        now: () => NOW,
      })
    return { crm, log, send }
  }

  test('a text file named by the time lies in the folder, and the log is empty', async () => {
    const { crm, log, send } = await prepare()
    expect(await send()).toBe('sent')
    const { files } = await crm.inspect()
    expect(files).toMatchObject([{ folderId: 'error-logs', name: '20261120120000000.txt' }])
    expect(await log.read()).toEqual([])
  })

  test('what was added while it was sent stays', async () => {
    const { log, send } = await prepare((real) => async (...call) => {
      await log.add(new Error('あとから'))
      return real(...call)
    })
    expect(await send()).toBe('sent')
    const rest = await log.read()
    expect(rest.length).toBeGreaterThan(0)
    expect(rest.every(({ message }) => message === 'Error: あとから')).toBe(true)
  })

  test.each<[string, Response | null, 'offline' | 'failed']>([
    ['no signal', null, 'offline'],
    ['the file store refuses it', Response.json({ success: false, message: 'ec00017' }), 'failed'],
  ])('%s: everything stays', async (_, answer, wanted) => {
    const { log, send } = await prepare((real) => async (...call) => {
      if (!String(call[0] instanceof Request ? call[0].url : call[0]).includes('upload')) return real(...call)
      if (!answer) throw new TypeError('Failed to fetch')
      return answer
    })
    expect(await send()).toBe(wanted)
    expect(await log.read()).toHaveLength(1)
  })
})
