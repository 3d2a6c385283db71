/** 再送 of an expired change, as its card does it: on real RxDB, HTTP and the demo CRM. */
import { firstValueFrom } from 'rxjs'
import { viewOf } from '#data/changes/record-views.ts'
import { describe, expect, test } from 'vitest'
import type { Saver } from '#data/changes/changes.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { requestInOrder } from '#data/fetch-requests/wishes.ts'
import { resentWith } from '#features/outbox/jobs.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { saveForm } from '../../support/drafts.ts'
import { FOLDER_NAME, PARENT, photoOf, photoScene, take } from '../../support/photos.ts'
import { enter, leave, nth, statesOf } from '../../support/replication.ts'
import { rowIn, viewIn } from '../../support/stored-views.ts'

const { app } = photoScene()
const DAY = 86_400_000

async function resendFirst({ db }: Device): Promise<void> {
  const { queue, photos } = await firstValueFrom(outbox$(db))
  await requestInOrder(db, resentWith(nth(queue, 0), queue, photos), 'resend')
}

async function dayWithoutSignal(device: Device): Promise<void> {
  app.phone.now += DAY + 1
  await app.phone.signIn()
  device.network.next(true)
  await until(async () => (await statesOf(device))[0] === 'expired')
}

describe('[SV2][EX2] 再送 of an expired record: one press', () => {
  test.each(['再送', 'saved anew'])(
    '%s: its photo, which had waited for it all the time, goes with it',
    async (way) => {
      let opened: Device | undefined
      app.phone.parents = {
        async folderOf(_, key) {
          const note = opened && (await viewOf(opened.db, 'noteLocationAreas', key))
          return note?.serverId ? { kind: 'make', parentId: PARENT, name: FOLDER_NAME } : { kind: 'wait' }
        },
      }
      const device = await app.open()
      opened = device
      const request = nth(await app.freeRequests(device), 0)
      device.network.next(false)
      await saveNote(device.saver(), request, { note: 'ふたが重い' }, null, 'n1')
      const shot = await take(device, 'a.jpg', 1, { resource: 'noteLocationAreas', recordKey: 'n1' })
      await dayWithoutSignal(device)
      if (way === '再送') await resendFirst(device)
      else {
        const record = await viewIn(device.db, 'noteLocationAreas', 'n1')
        const target = {
          resource: 'noteLocationAreas',
          recordKey: 'n1',
          requestId: request.id,
          workingDate: '',
        }
        const edit = (saver: Saver) => saveNote(saver, request, { note: 'ふた' }, record)
        await saveForm(device, 'form', target, edit)
      }
      const ended = async () => (await rowIn(device.db, shot))?.state ?? ''
      await until(async () => ['accepted', 'expired'].includes(await ended()))
      expect(await ended()).toBe('accepted')
      expect((await photoOf(device, shot))?.unsent).toBe('no')
    },
  )

  test('the exit that had waited for its entry goes with it', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await leave(device, [request])
    await dayWithoutSignal(device)
    await resendFirst(device)
    const open = async () => (await device.queue()).filter(({ state }) => state !== 'expired')
    await until(async () => (await open()).length === 0)
    expect(await device.queue()).toEqual([])
    expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT'])
  })
})
