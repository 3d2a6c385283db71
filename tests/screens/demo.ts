/** A line of the table of pictures, and how an address is found in the demo of the day. */
import type { Page } from '@playwright/test'
import { devicesOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { seedPastReports } from '#demo-crm/resources/past-report.ts'

export interface Shot {
  /** The picture's file name. */
  name: string
  /** Its h1, or the heading of the popup. */
  heading: string | RegExp
  at: string | ((demo: Demo) => string | undefined)
  /** Buttons, links, radios and checkboxes that are pressed one after the other, by name. */
  press?: readonly (string | RegExp | ((demo: Demo) => string))[]
  offline?: true
  /** Nor does the demo CRM, which is in the page, answer until it was looked at. */
  unreachable?: true
  /** What is done after that. */
  act?: (page: Page) => Promise<void>
  /** What is on its way is in the picture. */
  loading?: true
  /** Before the login. */
  guest?: true
}

/** Today's requests, as they were found in the demo. */
export interface Demo {
  /** The first request with a button of this name. */
  requestWith(button: RegExp): string | undefined
  /** The first link of a request with this path, and the request it stands on. */
  link(path: RegExp): string | undefined
  requestAt(path: RegExp): string | undefined
  /** The first request that nobody has entered, its code and its day. */
  id: string
  code: string
  day: string
}

export const free = (demo: Demo) => demo.requestWith(/^入館登録$/)
/** 入館登録 with its three questions: from here on the first free request is one that somebody is inside. */
export const ENTER = ['入館登録', '登録', 'はい', 'はい', 'はい'] as const
export const withPit = (demo: Demo) => demo.requestWith(/^地下ピット/)
export const to =
  (path: RegExp, then = '') =>
  (demo: Demo) => {
    const found = demo.link(path)
    return found && `${found}${then}`
  }
/** The request that such a link stands on. */
export const requestOf = (path: RegExp) => (demo: Demo) => demo.requestAt(path)
export const PARKING = /^\/customerLocationChangeRequest\/(?!add)[^/]+$/
export const ENTRY_CONTACT = /^\/locationContactChangeRequest\/(?!add)[^/]+\/type1$/
export const LEFT_REPORT = /^\/quickReport\/(?!add)[^/]+$/
export const NOTES = /^\/noteLocationArea\/(?!add)/

export const EXIT_CHANGE = /^\/locationContactChangeRequest\/add\/.*type2$/
export const ENTRY_CHANGE = /^\/locationContactChangeRequest\/add\/.*type1$/
export const PARKING_CHANGE = /^\/customerLocationChangeRequest\/add\//
export const EMERGENCIES = /^\/emergencyReport\/(?!add)/
export const SAFETY = /^\/safetyMeasure\/select\//
/** 過去報告 of the first machine with an 緊急報告 among its newest three reports. Today's requests may be of other machines. */
export const pastReports = ({ day }: Pick<Demo, 'day'>) => {
  const machine = areas.flatMap(devicesOf).find(({ deviceId }) =>
    seedPastReports(deviceId, day)
      .slice(0, 3)
      .some(({ emergencyReport }) => emergencyReport.length > 0),
  )
  return machine && `/report/${encodeURIComponent(machine.deviceId)}`
}
/** A request of a place that has notes. */
export const withNotes = (demo: Demo) => demo.requestWith(/^現場メモ一覧（[1-9]/)

export const addEmergency = ({ id }: Demo) => `/emergencyReport/add/${id}`
export const addSafety = ({ id, day }: Demo) =>
  `/safetyMeasure/add?requestId=${id}&safetyType=1&workingDate=${day}`
/** 安全対策選択 of the request where nobody has been yet: nothing is registered there. */
export const selectSafety = ({ id, day }: Demo) =>
  `/safetyMeasure/select/${id}?workingDateType=1&workingDate=${day}`
export const emergenciesOf = ({ id, day }: Demo) => `/emergencyReport/${id}?workingDate=${day}`
export const addNote = ({ id }: Demo) => `/noteLocationArea/add/${id}`
