/** With a defect, one test that fails tells of it: what follows in its file would only wait in vain. */
import { afterEach, beforeEach } from 'vitest'

let hasFailed = false

beforeEach(({ skip }) => skip(hasFailed))
afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail'
})
