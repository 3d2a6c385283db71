import { useState } from 'react'
import type { RecordAbsence } from './use-fetched-record.ts'

/**
 * The record that a form was opened with, updated live. If it disappears from the device, is refused or no
 * longer exists in the CRM, the form continues with the last version, because the user's input must not be
 * lost.
 * @param of identifies the form's subject; a new one starts over
 */
export function useLatched<T extends object>(of: string, now: T | RecordAbsence): T | RecordAbsence {
  const [latched, setStood] = useState<{ of: string; last: T } | null>(null)
  if (typeof now === 'string') return latched?.of === of ? latched.last : now
  if (latched?.of !== of || latched.last !== now) setStood({ of, last: now })
  return now
}

/**
 * True from the first time that `isSo` is true. A screen that has opened does not close again because data is
 * being reloaded.
 */
export function useOpened(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(false)
  if (isSo && !wasSo) setWasSo(true)
  return isSo || wasSo
}
