/** The rules of deploy/observe in the real Prometheus' own tool: each alert comes, and does not come for its neighbours. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { isInstalled } from './host.ts'

const folder = resolve(import.meta.dirname, '../../deploy/observe')
const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })

test('[decisions/telemetry] Prometheus takes its configuration and the rules, and each alert comes when it should', () => {
  test.skip(!isInstalled('promtool'), 'promtool (Debian: prometheus) is not installed: left out')
  expect(promtool('check', 'config', 'prometheus.yaml')).toContain('SUCCESS')
  expect(promtool('test', 'rules', 'rules.test.yaml')).toContain('SUCCESS')
})
