import { expect, test } from 'vitest'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { nth, replicationScene, type Replication } from '../../support/replication.ts'
import { STORINGS } from '../../support/storings.ts'

const app = replicationScene()

const TEXT = '9:00〜17:00 −5℃ ‖¢ <A&B> 髙橋①👍が\u0007  \n\t二行目 \r\n三行目\n'

/** The CRM shows the texts of calls as these storings, one after the other, have left them. */
function respelling({ crm }: Replication, stores: readonly string[]): void {
  const { fetch } = crm
  const stored = (text: string) => stores.reduce((each, name) => STORINGS[name]?.(each) ?? each, text)
  crm.fetch = async (request) => {
    const response = await fetch(request)
    if (request.method !== 'GET' || !/noteLocationArea|emergencyReport/.test(request.url)) return response
    const body: unknown = await response.clone().json()
    const spelled = JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith('9:00') ? stored(value) : value,
    )
    return new Response(spelled, { status: response.status, headers: response.headers })
  }
}

test.each([
  ['code page, from JIS to Windows', 'HTML entities', 'lines ended by CR LF'],
  ['NFD', 'lines without blanks at their ends'],
  ['NFKC', 'a ? for what it cannot hold'],
])('[OC6] a save whose answer is lost is one record, stored with: %s, %s', async (...stores) => {
  respelling(app, stores)
  for (const path of ['noteLocationArea/$', 'emergencyReport/$'])
    await app.crm.faults.add({ id: path, kind: 'lostAnswer', method: 'POST', path, count: 1 })
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  for (const text of [TEXT, `${TEXT}四行目`]) {
    await saveNote(device.saver(), request, { note: text })
    await saveEmergencyReport(device.saver(), request, { ...EMERGENCY, emergencyContentsDetails: text })
  }
  await app.sent(device)
  const { notes, emergencyReports } = await app.crm.inspect()
  for (const made of [notes, emergencyReports])
    expect(made.filter(({ origin }) => origin === 'call')).toHaveLength(2)
  expect(app.writes('noteLocationArea/')).toHaveLength(2)
})
