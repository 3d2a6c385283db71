/** A form opens, a pull reads another company's edit, and then the form is saved (MG2, MG3). */
import { replacedHere } from '#schemas/change-history.ts'
import { queueOf } from '#schemas/changes/change-queue.ts'
import { describe, expect, test } from 'vitest'
import type { CustomerLocationDraft } from '#schemas/resources/customer-location-change-request.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { discardUnsent } from '#data/fetch-requests/wishes.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { contactOf, elsewhere, locationOf } from '../../support/other-company.ts'
import { CONTACT, isOpen, PARKING } from '../../support/record-saves.ts'
import { nth, todayScene } from '../../support/replication.ts'

const app = todayScene()

describe('[MG2][MG3] an edit is made on what its form was opened with, also where a pull has brought another since', () => {
  async function made() {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    await saveCustomerLocation(device.saver(), request.id, PARKING, null)
    await saveContactChange(device.saver(), request.id, '02', CONTACT, null)
    await app.sent(device)
    return { device, id: request.id }
  }
  const pulled = async (device: Device, isHere: () => Promise<boolean>) => {
    await askRefresh(device.db, (app.phone.now += 1_000))
    await until(isHere)
  }

  test('入館・駐車場情報変更依頼: what was not touched stays theirs, what was replaced is in the history', async () => {
    const { device, id } = await made()
    const opened = await locationOf(device, id)
    const theirs = { ...PARKING, requestId: id, parkingMethod: '臨時駐車場', inMethod: '裏口から' }
    await elsewhere(`customerLocationChangeRequest/${opened.serverId}`, theirs)
    await pulled(device, async () => (await locationOf(device, id)).server?.inMethod === '裏口から')
    await saveCustomerLocation(device.saver(), id, { ...PARKING, inMethod: '正面から' }, opened)
    await app.sent(device)
    const rows = (await app.crm.inspect()).customerLocationChangeRequests
    expect(rows.find((row) => row.id === opened.serverId)).toMatchObject({
      inMethod: '正面から',
      parkingMethod: '臨時駐車場',
    })
    await until(async () => replacedHere((await locationOf(device, id)).history).length === 1)
    expect(replacedHere((await locationOf(device, id)).history)).toMatchObject([
      { field: 'inMethod', value: '裏口から' },
    ])
  })

  test('入館連絡先変更依頼: likewise', async () => {
    const { device, id } = await made()
    const opened = await contactOf(device, id)
    const theirs = { ...CONTACT, requestId: id, type: '02', staffName: '田村', tel1: '03-5550-0199' }
    await elsewhere(`locationContactChangeRequest/${opened.serverId}`, theirs)
    await pulled(device, async () => (await contactOf(device, id)).server?.staffName === '田村')
    await saveContactChange(device.saver(), id, '02', { ...CONTACT, staffName: '森' }, opened)
    await app.sent(device)
    const rows = (await app.crm.inspect()).locationContactChangeRequests
    expect(rows.find((row) => row.id === opened.serverId)).toMatchObject({
      staffName: '森',
      tel1: '03-5550-0199',
    })
    await until(async () => replacedHere((await contactOf(device, id)).history).length === 1)
    expect(replacedHere((await contactOf(device, id)).history)).toMatchObject([
      { field: 'staffName', value: '田村' },
    ])
  })
})

test('[MG2a] a form shows an unsent edit that is discarded before it is saved: what it says is new to the CRM, not untouched', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await saveCustomerLocation(device.saver(), request.id, PARKING, null)
  await app.sent(device)
  const confirmed = await locationOf(device, request.id)
  device.network.next(false)
  const edited = { ...PARKING, parkingMethod: '臨時駐車場' }
  await saveCustomerLocation(device.saver(), request.id, edited, confirmed)
  const opened = await locationOf(device, request.id)
  const [item] = queueOf([{ resource: 'customerLocationChangeRequests', ...opened }], new Map())
  await discardUnsent(device.db, item!, app.phone.now)
  device.network.next(true)
  // this state is read after the edit was saved, so it is newer, but it does not contain the edit
  const theirs = { ...PARKING, requestId: request.id, parkingType: '1' }
  await elsewhere(`customerLocationChangeRequest/${confirmed.serverId}`, theirs)
  await askRefresh(device.db, (app.phone.now += 1_000))
  await until(async () => (await locationOf(device, request.id)).server?.parkingType === '1')
  await saveCustomerLocation(device.saver(), request.id, { ...edited, inMethod: '正面から' }, opened)
  await app.sent(device)
  const rows = (await app.crm.inspect()).customerLocationChangeRequests
  expect(rows.find(({ id }) => id === confirmed.serverId)).toMatchObject({
    parkingMethod: '臨時駐車場',
    inMethod: '正面から',
    parkingType: '1',
  })
})

describe('[MG2a] two forms of one record are open in two tabs, and both are saved without a signal', () => {
  const bothSaved = async (
    changed: Pick<Partial<CustomerLocationDraft>, 'inMethod' | 'parkingMethod'>,
    meanwhile?: (device: Device) => Promise<unknown>,
  ) => {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    await saveCustomerLocation(device.saver(), request.id, PARKING, null)
    await app.sent(device)
    const opened = await locationOf(device, request.id)
    device.network.next(false)
    await saveCustomerLocation(
      device.saver(),
      request.id,
      { ...PARKING, parkingMethod: '臨時駐車場' },
      opened,
    )
    await meanwhile?.(device)
    await saveCustomerLocation(device.saver(), request.id, { ...PARKING, ...changed }, opened)
    device.network.next(true)
    await app.sent(device)
    const rows = (await app.crm.inspect()).customerLocationChangeRequests
    return rows.find(({ id }) => id === opened.serverId)
  }

  test('what the other one changed and this one did not stays', async () => {
    expect(await bothSaved({ inMethod: '正面から' })).toMatchObject({
      inMethod: '正面から',
      parkingMethod: '臨時駐車場',
    })
  })

  test('what the other one changed and a person has discarded since does not come back', async () => {
    const discard = async (device: Device) =>
      discardUnsent(device.db, nth(await device.queue(), 0), app.phone.now)
    expect(await bothSaved({ inMethod: '正面から' }, discard)).toMatchObject({
      inMethod: '正面から',
      parkingMethod: PARKING.parkingMethod || null,
    })
  })

  test('what both changed is as it was saved last', async () => {
    expect(await bothSaved({ parkingMethod: '正面の駐車場' })).toMatchObject({
      inMethod: PARKING.inMethod,
      parkingMethod: '正面の駐車場',
    })
  })
})
