/**
 * The pulling half in a simulated world, on real RxDB in virtual time: see decisions/proof. It runs as it is bundled
 * for the command line: `npm run simulate -- --pull --seed N --trace` tells what happened in a seed that fails here.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const SEEDS = process.env['SLOW'] ? 30 : 4
/** Each planted defect is caught by the seed that is known to do so. */
const PLANTED_SEEDS = 20
const LIMIT_MS = process.env['SLOW'] ? 1_800_000 : 300_000

const command = join(import.meta.dirname, '../../simulate/simulate.mjs')

const simulate = (...args: string[]) =>
  new Promise<{ code: number; told: string }>((resolve) => {
    execFile(
      process.execPath,
      [command, '--pull', ...args],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, told, problems) => resolve({ code: error ? 1 : 0, told: told + problems }),
    )
  })

describe('[SV2][SV3][SV4][SV6][PL1][PL3][PL4][PL5][PL6][PL8][PL9][OC10][EX1][EX3][MG5][ST4][TB1] the pulling engine', () => {
  test(
    `keeps every rule in ${SEEDS} simulated days`,
    async () => {
      const { code, told } = await simulate('--seeds', String(SEEDS))
      expect(told).toContain('none failed')
      expect(code).toBe(0)
      // it does read, and questions are asked and answered
      const [calls = 0, answered = 0] = /(\d+) calls, (\d+) questions/.exec(told)?.slice(1).map(Number) ?? []
      expect(calls).toBeGreaterThan(20 * SEEDS)
      expect(answered).toBeGreaterThan(SEEDS)
    },
    LIMIT_MS,
  )

  test.runIf(process.env['SLOW'])(
    'a seed always tells the same story',
    async () => {
      const { told } = await simulate('--seed', '7', '--trace')
      expect(told.split('\n').length).toBeGreaterThan(50)
      expect((await simulate('--seed', '7', '--trace')).told).toBe(told)
    },
    LIMIT_MS,
  )

  // three minutes on two cores: `npm run test:slow`
  test.runIf(process.env['SLOW'])(
    'the simulation catches each planted defect',
    async () => {
      const { code, told } = await simulate('--defects', '--seeds', String(PLANTED_SEEDS))
      expect(told).not.toContain('not within')
      expect(told).toMatch(/(\d+) of \1 planted defects caught/)
      expect(code).toBe(0)
    },
    LIMIT_MS,
  )
})
