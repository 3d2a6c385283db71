/** A PUT says which state of the record it was merged with, where the CRM names one (MG4). */
import { describe, expect, test } from 'vitest'
import { replacedHere } from '#schemas/change-history.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { elsewhere, locationOf } from '../../support/other-company.ts'
import { EMERGENCY, isOpen, PARKING } from '../../support/record-saves.ts'
import {
  COMPLETED,
  enter,
  leave,
  ledgerOf,
  nth,
  todayScene,
  type Replication,
} from '../../support/replication.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const PATH = 'customerLocationChangeRequest'

/** The tags of this device's PUTs, in order; `before` runs when one has arrived and the CRM has not acted on it. */
function watchPuts(app: Replication) {
  const { fetch } = app.crm
  const hooks = {
    before: async (_put: Request, _number: number): Promise<void> => undefined,
    answer: (response: Response) => response,
  }
  const tags: (string | null)[] = []
  let others = 0
  app.crm.fetch = async (request) => {
    if (request.method === 'PUT' && others === 0) {
      tags.push(request.headers.get('if-match'))
      await hooks.before(request, tags.length)
    }
    return hooks.answer(await fetch(request))
  }
  const byOthers = async (run: () => Promise<void>) => {
    others += 1
    await run().finally(() => (others -= 1))
  }
  return { tags, hooks, byOthers }
}

async function withLocation(app: Replication) {
  // on a slow machine, too, only what the test says has no answer
  app.phone.timeoutMs = 20_000
  const device = await app.open()
  const { id } = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await saveCustomerLocation(device.saver(), id, PARKING, null)
  await app.sent(device)
  const { serverId } = await locationOf(device, id)
  const path = `${PATH}/${serverId}`
  return {
    device,
    path,
    edit: async (content: object) =>
      saveCustomerLocation(device.saver(), id, { ...PARKING, ...content }, await locationOf(device, id)),
    theirs: (content: object) => elsewhere(path, { ...PARKING, requestId: id, ...content }),
    inCrm: async () =>
      (await app.crm.inspect()).customerLocationChangeRequests.find((row) => row.id === serverId),
  }
}
const statesIn = async (device: Device) => (await ledgerOf(device)).map(({ state }) => state)

describe('where the CRM gives an ETag', () => {
  const app = todayScene()

  test('[MG4] what somebody else writes between the read and the PUT stays: read, merged, and sent again', async () => {
    const { edit, theirs, inCrm, device } = await withLocation(app)
    const { tags, hooks, byOthers } = watchPuts(app)
    hooks.before = async (_, number) => {
      if (number === 1) await byOthers(() => theirs({ parkingMethod: '臨時駐車場' }))
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ parkingMethod: '臨時駐車場', inMethod: '正面から' })
    expect(tags).toHaveLength(2)
    expect(new Set(tags).size).toBe(2)
    expect(await statesIn(device)).toEqual(['accepted', 'accepted'])
  })

  test('[MG4] 退館報告編集 and 緊急報告 likewise; the exit, which names several, has none', async () => {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    const { tags } = watchPuts(app)
    await enter(device, request)
    await leave(device, [request])
    await saveEmergencyReport(device.saver(), request, EMERGENCY)
    await app.sent(device)
    expect(tags).toEqual([null])
    const report = await viewIn(device.db, 'quickReports', request.key)
    const content = { ...COMPLETED, reportContent: '直した' }
    await saveReport(device.saver(), [report], 'edit', content)
    const made = (await viewsIn(device.db, 'emergencyReports')).find(
      ({ key, serverId }) => serverId !== '' && key !== serverId,
    )
    await saveEmergencyReport(device.saver(), request, { ...EMERGENCY, risk: ['1'] }, made)
    await app.sent(device)
    expect(tags.slice(1)).toEqual([expect.stringMatching(/^"/), expect.stringMatching(/^"/)])
  })

  test('[MG4][OR3] somebody is quicker each time: tried three times, then it waits, and is never 失敗', async () => {
    const { edit, theirs, inCrm, device } = await withLocation(app)
    const { tags, hooks, byOthers } = watchPuts(app)
    const states = new Set<string>()
    hooks.before = async (_, number) => {
      for (const state of await statesIn(device)) states.add(state)
      if (number <= 3) await byOthers(() => theirs({ parkingMethod: `臨時${number}` }))
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ parkingMethod: '臨時3', inMethod: '正面から' })
    expect(tags).toHaveLength(4)
    expect(states).not.toContain('refused')
  })

  test('[OC3][MG2] the browser has sent a PUT twice, and the 412 answers the second: it is there, and so is what it replaced', async () => {
    const { edit, theirs, inCrm, device } = await withLocation(app)
    const { tags, hooks, byOthers } = watchPuts(app)
    hooks.before = (put, number) =>
      byOthers(async () => void (number === 1 && (await app.crm.fetch(put.clone()))))
    await byOthers(() => theirs({ inMethod: '裏口から' }))
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ inMethod: '正面から' })
    expect(tags).toHaveLength(1)
    const views = await viewsIn(device.db, 'customerLocationChangeRequests')
    expect(views.flatMap(({ history }) => replacedHere(history))).toMatchObject([
      { field: 'inMethod', value: '裏口から' },
    ])
  })

  test('[MG4] a 412 although nothing has changed: such a tag is of no use, the PUT goes without', async () => {
    const { edit, inCrm, device } = await withLocation(app)
    const { tags, hooks } = watchPuts(app)
    // a gateway that gives another tag than the CRM knows
    hooks.answer = (response) => {
      const tag = response.headers.get('etag')
      if (tag) response.headers.set('etag', tag.replace(/"$/, '-gzip"'))
      return response
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ inMethod: '正面から' })
    expect(tags).toEqual([expect.stringMatching(/-gzip"$/), null])
  })

  test('[MG4] tags that are others with each read: the second time the PUT goes without', async () => {
    const { edit, inCrm, device } = await withLocation(app)
    const { tags, hooks } = watchPuts(app)
    let reads = 0
    hooks.answer = (response) => {
      if (response.headers.has('etag')) response.headers.set('etag', `"${(reads += 1)}"`)
      return response
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ inMethod: '正面から' })
    expect(tags.map((tag) => tag !== null)).toEqual([true, true, true, false])
  })

  test('[MG4] a weak tag says nothing about a PUT: none is sent', async () => {
    const { edit, inCrm, device } = await withLocation(app)
    const { tags, hooks } = watchPuts(app)
    hooks.answer = (response) => {
      const tag = response.headers.get('etag')
      if (tag) response.headers.set('etag', `W/${tag}`)
      return response
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ inMethod: '正面から' })
    expect(tags).toEqual([null])
  })

  test('[MG4] another origin that shows the tag and takes no If-Match: the third PUT goes without', async () => {
    const { edit, inCrm, device } = await withLocation(app)
    const { tags, hooks } = watchPuts(app)
    // a preflight that fails is a network error
    hooks.before = async (put) => {
      if (put.headers.has('if-match')) throw new TypeError('Failed to fetch')
    }
    await edit({ inMethod: '正面から' })
    await app.sent(device)
    await edit({ inMethod: '裏口から' })
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ inMethod: '裏口から' })
    // one more try with it after each that went without
    expect(tags.map((tag) => tag !== null)).toEqual([true, true, false, true, false])
  })
})

describe('where it gives none', () => {
  const app = todayScene({ etags: false })

  test('[MG4][MG3] the PUT goes as before', async () => {
    const { edit, inCrm, device } = await withLocation(app)
    const { tags } = watchPuts(app)
    await edit({ inMethod: '正面から' })
    await until(async () => (await inCrm())?.inMethod === '正面から')
    await app.sent(device)
    expect(tags).toEqual([null])
  })
})
