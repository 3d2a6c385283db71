/** What the office and other companies do in the CRM, and what it holds in the morning. */
import { tokyoDay } from '#schemas/instant.ts'
import { pickOf, type Random } from '../random.ts'
import { reportOf } from './crm-rows.ts'
import { USERS, visitName, type CrmState, type Row, type Visit } from './crm-state.ts'
import type { ActName, Config } from './plan.ts'
import { OFFICE } from './witness.ts'

export function morning(state: CrmState, { visits, days }: Config, random: Random, now: number): void {
  for (let i = 0; i < visits; i += 1) {
    // the first ones are today's, and some requests have several days
    const day = i < 2 ? 0 : Math.floor(random() * days) - 1
    const id = random() < 0.2 && i > 2 ? `q${i - 1}` : `q${i}`
    const [known] = state.visitsOfRequest(id)
    const area = known?.area ?? `la${Math.floor(random() * 3)}`
    const devices = random() < 0.6 ? [`dv${Math.floor(random() * 3)}`] : []
    const staff = known?.staff ?? (i % 5 === 4 ? 'st2' : 'st1')
    state.plan({
      id,
      workingDate: tokyoDay(now, day),
      area,
      staff,
      situation: `朝 ${i}`,
      goods: `品 ${i}`,
      devices,
    })
  }
  for (const device of ['dv0', 'dv1'])
    for (let i = Math.floor(random() * 4); i > 0; i -= 1)
      state.put('pastReports', {
        id: state.newId('pr'),
        deviceId: device,
        workingDate: tokyoDay(now, -30 - i),
        specialComment: `過去 ${i}`,
        emergencyReport: [{ id: `pe${i}`, emergencyContentsName: '漏水' }],
      })
  for (const { supplier } of USERS)
    for (let i = 0; i < 2; i += 1)
      state.put('supplierStaff', {
        id: state.newId('ss'),
        supplierId: supplier,
        name: `${supplier} ${i}`,
        userFlag: '5',
      })
  for (let i = Math.floor(random() * 9); i > 0; i -= 1) addNote(state, `la${i % 3}`, `${OFFICE} メモ ${i}`)
  const all = [...state.visits.values()]
  for (const visit of all) {
    if (random() < 0.3) addReport(state, visit, random() < 0.6)
    if (random() < 0.2) addEmergency(state, visit, `${OFFICE} 緊急`)
    if (random() < 0.2) addSafety(state, visit)
  }
}

const addNote = (state: CrmState, area: string, note: string) =>
  state.put('noteLocationAreas', {
    id: state.newId('nt'),
    locationAreaId: area,
    type: area === 'la1' ? '2' : '1',
    filePath: `path-${area}`,
    note,
    loginUserId: 'office',
  })

const addReport = (state: CrmState, { id, workingDate }: Visit, isDone: boolean) =>
  state.put('quickReports', {
    id: state.newId('qr'),
    requestId: id,
    workingDate,
    inTime: `${workingDate}T08:30:00+09:00`,
    outTime: isDone ? `${workingDate}T11:30:00+09:00` : null,
    type: isDone ? '1' : null,
    reason1Id: null,
    reason2Id: null,
    reportContent: isDone ? `${OFFICE} 完了` : null,
    editStatus: 'OK',
  })

const addEmergency = (state: CrmState, { id, workingDate }: Visit, text: string) =>
  state.put('emergencyReports', {
    id: state.newId('er'),
    requestId: id,
    workingDate,
    emergencyContents: '1',
    risk: '2',
    correspondenceDate: '1',
    ttsStaffContact: '2',
    emergencyContentsDetails: text,
    editStatus: 'OK',
    name: `緊急 ${id}`,
    emergencyReportFolderId: 'emergencies',
  })

const addSafety = (state: CrmState, { id, workingDate }: Visit) =>
  state.put('safetyMeasures', {
    id: state.newId('sm'),
    requestId: id,
    workingDate,
    safetyType: '1',
    needFlag: '1',
  })

interface Office {
  state: CrmState
  config: Config
  now: number
  chance: number
  /** So many things it has done. */
  count: number
}

/** @returns whether it is something that the office does */
export function officeActs(what: ActName, office: Office): boolean {
  const run = ACTS[what]
  if (!run) return false
  const { state, chance, now } = office
  const days = [tokyoDay(now), tokyoDay(now, 1)]
  const all = state.visitsOf('st1')
  const near = all.filter(({ workingDate }) => days.includes(workingDate))
  const visit = pickOf(SILENT.includes(what) ? near : all, chance)
  if (visit) run({ ...office, visit, isNear: near.includes(visit), text: `${OFFICE} ${office.count}` })
  return true
}

/** What only the details or a list tell: soon enough only of what is near. */
const SILENT: readonly ActName[] = ['officeGoods', 'officeEmergency']

type Doing = Office & { visit: Visit; isNear: boolean; text: string }

const ACTS: Partial<Record<ActName, (doing: Doing) => void>> = {
  officeText: ({ state, visit, text }) => state.plan({ ...visit, situation: text }),
  officeGoods({ state, visit, text }) {
    state.plan({ ...visit, goods: text })
    state.silent.add(visitName(visit))
  },
  officeReport({ state, visit, text, count }) {
    const report = reportOf(state, visit)
    if (!report) return void addReport(state, visit, true)
    // each edit is another moment: the summary tells of it
    const outTime = `${visit.workingDate}T13:${String(count % 60).padStart(2, '0')}:00+09:00`
    state.put('quickReports', { ...report, outTime, type: '1', reportContent: text })
  },
  officeEmergency({ state, visit, text, chance }) {
    const [known] = state.recordsOf('emergencyReports', 'requestId', visit.id)
    const isEdit = known && chance * 7 - Math.floor(chance * 7) < 0.6
    const { id } = isEdit
      ? state.put('emergencyReports', { ...known, emergencyContentsDetails: text })
      : addEmergency(state, visit, text)
    state.silent.add(id)
  },
  officeNote: ({ state, visit, text }) => void addNote(state, visit.area, text),
  officeParking: (doing) =>
    register(doing, 'customerLocationChangeRequests', { inMethod: doing.text, parkingType: '1' }),
  officeContact: (doing) =>
    register(doing, 'locationContactChangeRequests', {
      name: doing.text,
      type: '02',
      kana: 'ｶﾅ',
      tel1: '03',
    }),
  officeSafety({ state, visit }) {
    const known = state.recordsOf('safetyMeasures', 'requestId', visit.id)
    if (!known.some((row) => row['workingDate'] === visit.workingDate)) addSafety(state, visit)
  },
  officeRemoves({ state, visit, isNear, config, chance }) {
    const [parking] = state.recordsOf('customerLocationChangeRequests', 'requestId', visit.id)
    const [emergency] = state.recordsOf('emergencyReports', 'requestId', visit.id)
    if (parking) state.remove('customerLocationChangeRequests', parking.id)
    else if (emergency && isNear && config.asksAtEnd && chance > 0.1) {
      state.remove('emergencyReports', emergency.id)
      state.silent.add(emergency.id)
    }
  },
  officePhoto({ state, chance }) {
    const row = withPhotos(state, chance)
    if (row) state.files.add(row)
  },
  officePhotoGone({ state, chance }) {
    const row = withPhotos(state, chance)
    if (row) state.files.remove(row)
  },
  officeMoves: ({ state, chance }) => void state.moves.push(chance),
  reassign: ({ state, visit }) => state.plan({ ...visit, staff: 'st2' }),
  cancel: ({ state, visit }) => state.cancel(visit),
  newVisit: ({ state, now, count, chance, text }) =>
    state.plan({
      id: `n${count}`,
      workingDate: tokyoDay(now, Math.floor(chance * 10) - 1),
      area: `la${count % 4}`,
      staff: 'st1',
      situation: text,
      goods: text,
      devices: count % 2 === 0 ? [`dv${count % 3}`] : [],
    }),
}

/** A record that photos lie beside: few, so that several come to one. */
const withPhotos = (state: CrmState, chance: number): Row | undefined =>
  pickOf(
    [...state.of('emergencyReports').values(), ...state.of('noteLocationAreas').values()].slice(0, 2),
    chance,
  )

/** The row names it once it is there; what it says then is silent. */
function register(
  { state, visit, isNear, config }: Doing,
  kind: 'customerLocationChangeRequests' | 'locationContactChangeRequests',
  fields: Omit<Row, 'id'>,
): void {
  const known = state
    .recordsOf(kind, 'requestId', visit.id)
    .find((row) => fields['type'] === undefined || row['type'] === fields['type'])
  if (!known) state.put(kind, { ...fields, id: state.newId('cr'), requestId: visit.id, editStatus: 'OK' })
  else if (isNear && config.asksAtEnd) {
    state.put(kind, { ...known, ...fields })
    state.silent.add(known.id)
  }
}
