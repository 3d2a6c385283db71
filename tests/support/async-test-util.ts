/** As much of the package of this name as RxDB's `test-utils` use (vite.config.ts). */
import { setTimeout } from 'node:timers/promises'

/** @param ms milliseconds */
export const wait = (ms = 0) => setTimeout(ms)

export const randomString = (length = 10) => {
  const random = () => Math.random().toString(36).slice(2)
  return Array.from({ length }, random).join('').slice(0, length)
}
