import {
  answering,
  broken,
  eachRow,
  fields,
  hearing,
  instead,
  isCall,
  nothing,
  resent,
  saying,
  status,
  type Variant,
} from './variant.ts'
import type { Layer } from '../demo-host.ts'
import { isRow, type Row } from '../shapes.ts'

const ONE = /spa\/request\/(?!search)[^/]+$/
const ENTER = /quickReport\/?$/
const REPORT = /spa\/quickReport\/(?!requestUpdate)[^/]+$/
const NEW_NOTE = /noteLocationArea\/?$/
const NOTE = /noteLocationArea\/(?!request\/)[^/]+$/
const NEW_EMERGENCY = /emergencyReport\/?$/
const EMERGENCY = /emergencyReport\/(?!request\/)[^/]+$/
const CONTACT = /locationContactChangeRequest\/[^/]+$/

/** What a `PUT` does not name stays as it was. */
const patching: Layer = (next) => async (request) => {
  if (!isCall(request, 'PUT', REPORT)) return next(request)
  const old = (await (
    await next(await resent(new Request(request.url, { headers: request.headers }), {}))
  ).json()) as Row
  const kept = {
    outTime: old['outTime'],
    type: old['type'],
    reason1: old['reason1Id'],
    reason2: old['reason2Id'],
    reportContent: old['reportContent'],
  }
  return next(
    await resent(
      request,
      fields((row) => ({ ...kept, ...row })),
    ),
  )
}

const unregistered = (name: string) =>
  saying(
    'GET',
    ONE,
    eachRow((row) => ({ ...row, [name]: '1' })),
  )

export const writeVariants: Variant[] = [
  broken(
    'D1',
    '入館が依頼に出ない',
    saying(
      'GET',
      ONE,
      eachRow((row) => ({ ...row, quickReport: null })),
    ),
  ),
  broken(
    'D2',
    '二度目の入館に 200',
    status('POST', ENTER, (code) => code === 400, 200, '{"id":"x"}'),
  ),
  broken(
    'D2',
    '二度目の入館に別のコード',
    status('POST', ENTER, (code) => code === 400, 400, '{"error":"ec00001"}'),
  ),
  broken('D3', 'PUT にない項目を残す', patching),
  broken(
    'D4',
    'inTime のない PUT で入館が消える',
    hearing(
      'PUT',
      REPORT,
      fields((row) => ({ ...row, inTime: row['inTime'] ?? row['outTime'] })),
    ),
  ),
  broken(
    'D5',
    'requestUpdate が一件目だけ',
    hearing(
      'PUT',
      /requestUpdate$/,
      fields((row) => ({ ...row, quickReports: [row['quickReports']].flat().slice(0, 1) })),
    ),
  ),
  broken(
    'D6',
    '理由を返さない',
    saying(
      'GET',
      REPORT,
      eachRow((row) => ({ ...row, reason1Id: null })),
    ),
  ),
  broken('D7', '同じ PUT の二度目に 409', (next) => {
    const seen = new Set<string>()
    return async (request) => {
      const text = await request.clone().text()
      if (isCall(request, 'PUT', REPORT) && seen.has(text)) return nothing(409)
      seen.add(text)
      return next(request)
    }
  }),
  broken(
    'D8',
    '7 日を過ぎても受ける',
    status('PUT', REPORT, (code) => code === 400, 204),
  ),
  broken(
    'D9',
    '一覧が risk の二つ目を落とす',
    saying(
      'GET',
      /emergencyReport\/request\//,
      eachRow((row) => ({ ...row, risk: String(row['risk']).slice(0, 1) })),
    ),
  ),
  broken(
    'D9',
    '登録に 200',
    status('POST', NEW_EMERGENCY, (code) => code === 201, 200, '{"id":"x"}'),
  ),
  broken(
    'D10',
    'PUT に 204 と言って変えない',
    instead('PUT', EMERGENCY, () => nothing(204)),
  ),
  broken(
    'D11',
    '安全対策が依頼に出ない',
    saying(
      'GET',
      ONE,
      eachRow((row) => ({ ...row, safety: [] })),
    ),
  ),
  broken(
    'D12',
    '二度目の安全対策に 201',
    status('POST', /safety\/?$/, (code) => code === 400, 201, '{"id":"x"}'),
  ),
  broken('D13', '変更依頼の状態が 1 のまま', unregistered('customerLocationChangeStatus')),
  broken(
    'D14',
    '二度目の変更依頼に 400',
    status('POST', /customerLocationChangeRequest\/?$/, (code) => code === 202, 400),
  ),
  broken(
    'D15',
    '連絡先の type を 1 と返す',
    saying(
      'GET',
      CONTACT,
      eachRow((row) => ({ ...row, type: '1' })),
    ),
  ),
  broken(
    'D16',
    '二度目の連絡先の message が違う',
    status('POST', /locationContactChangeRequest\/?$/, (code) => code === 202, 202, '{"message":"だめです"}'),
  ),
  broken(
    'D17',
    'PUT にない項目を残す（連絡先）',
    saying(
      'GET',
      CONTACT,
      eachRow((row) => ({ ...row, section: '総務' })),
    ),
  ),
  broken(
    'D19',
    '書いた人が変えた人になる',
    saying(
      'GET',
      NOTE,
      eachRow((row) => ({ ...row, loginUserId: 'ss-3001' })),
    ),
  ),
  broken(
    'D20',
    '知らない項目を断る',
    (next) => async (request) =>
      isCall(request, 'POST', NEW_NOTE) && (await request.clone().text()).includes('conformUnknown')
        ? nothing(400)
        : next(request),
  ),
  broken(
    'G1',
    '誤りをページで返す',
    status('POST', NEW_NOTE, (code) => code === 422, 400, '<!doctype html>'),
  ),
  broken(
    'G1',
    '誤りの内容が errors でない',
    status('POST', NEW_NOTE, (code) => code === 422, 422, '{"messages":["x"]}'),
  ),
  broken(
    'G2',
    '壊れた JSON に 500',
    status('POST', NEW_NOTE, (code) => code === 400, 500),
  ),
  broken(
    'G3',
    'ない記録への PUT に 204',
    status('PUT', NOTE, (code) => code === 404, 204),
  ),
  broken(
    'G4',
    'ない依頼への登録に 500',
    status('POST', NEW_NOTE, (code) => code === 404, 500),
  ),
  broken(
    'D9',
    '登録の応答にフォルダーがない',
    answering('POST', NEW_EMERGENCY, async (response) => {
      const json: unknown = await response.json()
      return Response.json(isRow(json) ? { id: json['id'], name: json['name'] } : json, {
        status: response.status,
      })
    }),
  ),
]
