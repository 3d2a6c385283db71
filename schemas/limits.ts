/**
 * The limits and times of spec 9, and others that schemas, sync and screens share. Lengths are in characters and
 * times in milliseconds, unless a comment says otherwise.
 */

export const ID_MAX = 64
/** Maximum length of the key of a form's draft. */
export const DRAFT_KEY_MAX = 300

export const QUICK_REPORT_UPDATE_DAYS = 7

export const PARKING_METHOD_MAX = 500
export const IN_METHOD_MAX = 500
export const EMERGENCY_DETAILS_MAX = 300
export const NOTE_MAX = 1000
export const CONTACT_TEXT_MAX = 50
export const CONTACT_MEANS_MAX = 100
export const CONTACT_TEL_MAX = 14
export const REPORT_CONTENT_MAX = 500

/**
 * Limits for an answer (sync RULES PL11): characters per text, rows per list, nesting levels, characters in total.
 * The contract's longest text has 1,000 characters, its longest page 1,000 rows.
 */
export const ANSWER_TEXT_MAX = 5_000
/**
 * Letters, or punctuation, in a row without a possible line break. Chromium's time for line breaking grows with the
 * square: half a minute for 10,000 times 。
 */
export const ANSWER_LETTERS_MAX = 1_000
export const ANSWER_SIGNS_MAX = 200
export const ANSWER_ROWS_MAX = 1_000
export const ANSWER_DEPTH_MAX = 40
export const ANSWER_MAX = 16_000_000
/** Maximum bytes of a file: the largest photo that `config.json` can allow. */
export const ANSWER_FILE_MAX = 100 * 1024 * 1024
/** Maximum bytes of an answer, and of each row of a list. A longer text counts as ANSWER_TEXT_MAX characters. */
export const ANSWER_WEIGHT_MAX = 4_000_000
export const ANSWER_ROW_WEIGHT_MAX = 1_000_000

export const PHOTO_EXTENSIONS = ['png', 'jpeg', 'jpg'] as const
/** Maximum size of a photo that is sent (spec 5). */
export const PHOTO_MAX_MB = 10
/** Maximum size of a picked file. Three files at a time are in memory, each with its pixels. */
export const PHOTO_READ_MAX_MB = 40
/** Width times height of a photo. The lower limit is for PNG, which cannot be decoded at a reduced size as JPEG can. */
export const PHOTO_MAX_PIXELS = 110_000_000
export const PHOTO_WHOLE_MAX_PIXELS = 50_000_000

export const PAGE_SIZE = 50
export const FIRST_OFFSET = 1
export const LOAD_MORE_SIZE = 20
export const DEVICE_REPORT_LIMIT = 20
/** Number of pages of a machine's past reports that are read before a user opens them. */
export const DEVICE_REPORT_PAGES_AHEAD = 2
export const FILE_SEARCH_LIMIT = 1000
export const SCROLL_TRIGGER_PX = 100

export const PASSWORD_MIN = 8
export const PASSWORD_LOCK_MS = 900
export const FLASH_DISMISS_MS = 10_000
export const CONNECTIVITY_POLL_MS = 1_000
export const REFETCH_AFTER_RECONNECT_MS = 3_500
/** Maximum random delay of the reads after an outage, so that phones do not all read at once (sync RULES PL5). */
export const REFETCH_SPREAD_MS = 5_000
export const RETRY_FIRST_MS = 500
export const RETRY_MAX_MS = 30_000
export const STORAGE_DEBOUNCE_MS = 300
export const GEOLOCATION_TIMEOUT_MS = 5_000
export const GEOLOCATION_EXTRA_MS = 2_000
/** How long CRM data and unsent changes stay on the device (spec 1, sync RULES EX1). */
export const EXPIRY_MS = 24 * 3_600_000
/** An unchanged row is written again at most this often, to record that the CRM has confirmed the row. */
export const ROW_CONFIRM_MS = 3_600_000

/** The window is the range of working days on the device: from yesterday to two weeks ahead (sync RULES PL4). */
export const WINDOW_DAYS_BACK = 1
export const WINDOW_DAYS_AHEAD = 14
/** Maximum number of CRM reads at a time (sync RULES PL5). */
export const READS_AT_ONCE = 4
/** Maximum number of photo uploads at a time (sync RULES OR1). */
export const UPLOADS_AT_ONCE = 3

/** Length of an ISO 8601 date-time with milliseconds and offset. */
export const DATE_TIME_MAX = 30
