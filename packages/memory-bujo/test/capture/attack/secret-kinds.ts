/** Made up for these tests; put together at run time so that no scanner takes this file for a leak. */
const join = (...parts: readonly string[]): string => parts.join('')
const A = 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'
const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const pem = (kind: string): string =>
  [join('-----BEGIN ', kind, '-----'), 'MIIB'.padEnd(160, A), join('-----END ', kind, '-----')].join(' ')

/** One of each kind; on one line each, as a sentence could hold it. */
export const SECRETS: Readonly<Record<string, string>> = {
  'AWS secret access key': join('AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIxK7', 'MDENGxbPxRfiCYzEXAMPLEKx'),
  'GitHub token': join('gh', 'p_', A),
  'GitHub app token': join('gh', 's_', A),
  'GitHub fine-grained token': join('github', '_pat_', `${A}${A}`.slice(0, 22), '_', `${A}${A}`.slice(0, 59)),
  'Slack bot token': join('xo', 'xb-23984754863-2348975623103-lifdyhU8HkXbhG2dMqOiTn3B'),
  'Slack webhook': join('https://hooks.', 'slack.com/services/', 'T1234567A/B1234567C/', A.slice(0, 24)),
  'npm token': join('np', 'm_', A),
  'Stripe live key': join('sk', '_live_', A.slice(0, 24)),
  'Stripe restricted key': join('rk', '_live_', A.slice(0, 30)),
  'JSON Web Token': [base64url('{"alg":"HS256","typ":"JWT"}'), base64url('{"sub":"1234567890","name":"Ana"}'), A].join(
    '.',
  ),
  'SendGrid key': join('SG', '.', 'AVZLXdS9RkGzY5cW6vhYbA', '.', `${A}${A}`.slice(0, 43)),
  'Shopify token': join('shp', 'at_', 'abcdef0123456789abcdef0123456789'),
  'OpenAI key': join('sk', '-', A.slice(0, 20), 'T3BlbkFJ', A.slice(0, 20)),
  'Anthropic key': join('sk', '-ant-api03-', `${A}${A}${A}`.slice(0, 93), 'AA'),
  'Linear key': join('lin', '_api_', `${A}${A}`.slice(0, 40)),
  'GitLab token': join('gl', 'pat-', A.slice(0, 20)),
  'Hugging Face token': join('h', 'f_', A.slice(0, 34)),
  'Google API key': join('AI', 'za', A.slice(0, 35)),
  'Postgres connection string': join('postgres', '://ana:p4ssw0rdXyz@db.internal:5432/app'),
  'MySQL connection string': join('mysql', '://ana:p4ssw0rdXyz@db.internal:3306/app'),
  'MongoDB connection string': join('mongodb', '+srv://ana:p4ssw0rdXyz@cluster0.internal/app'),
  'basic authentication': join('https', '://ana:p4ssw0rdXyz@intranet.test'),
  'RSA private key': pem(join('RSA PRIVATE', ' KEY')),
  'EC private key': pem(join('EC PRIVATE', ' KEY')),
  'OpenSSH private key': pem(join('OPENSSH PRIVATE', ' KEY')),
}

/** What only looks like one: kept word for word. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
  'git commit': 'Commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12 fixed the leak.',
  'short git id': 'It was introduced in 9f86d08.',
  UUID: 'Order 9b2f7c1e-5a8d-4e07-bb0e-3f6d0a2c4e11 arrived.',
  'SHA-256': 'The image is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.',
  ISBN: 'The book is ISBN 978-3-16-148410-0.',
  'phone number': 'Ana’s number is +46 70 123 45 67.',
  IBAN: 'The account is DE89 3704 0044 0532 0130 00.',
  ULID: 'The ticket is 01ARZ3NDEKTSV4RRFFQ69G5FAV.',
  'base64 of an image': 'The icon is iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk.',
  'JSON in base64url': `The cursor is ${base64url('{"page":12,"after":"2026-05-01"}')}.`,
  'Stripe publishable prefix': 'Keys of theirs begin with sk_live_ or rk_live_.',
  'MAC address': 'The router is 00:1B:44:11:3A:B7.',
  'address without a password': 'The wiki is https://intranet.test/wiki?q=1.',
  'password as a word': 'The password for the guest wifi is on the fridge.',
}
