/**
 * Writes the templates of app stores from one description, and version and image into the Helm chart, into this folder or another:
 * `npm run build:deploy [-- FOLDER]`. Version and repository are those of package.json. Release the image first. Each store's format is
 * linked at its function.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'yaml'

const read = (/** @type {string} */ file) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const { version, repository: project } = JSON.parse(read('../package.json'))
const repository = project.replace('github:', 'https://github.com/')
// The workflow publishes it under the repository's name.
const image = project.replace('github:', 'ghcr.io/')

const app = {
  id: 'rangoli',
  name: 'Rangoli',
  image: `${image}:${version}`,
  icon: `${repository}/raw/main/public/icon-512.png`,
  port: 3000,
  tagline: 'Text-to-image with a community gallery',
  description:
    'Generate images from prompts and share them in a gallery that everyone can browse. An embedded engine draws without a model or key; OpenAI, ComfyUI, ' +
    'Stable Diffusion and others are added in the browser. The log of the first start has the address at which you set up the site.',
}

/** Seconds that running generations get to finish; a little more than SHUTDOWN_SECONDS. */
const stopGracePeriod = '40s'

/** What runs in every store: without write access outside of /data, and without privileges. */
const service = {
  image: app.image,
  restart: 'unless-stopped',
  read_only: true,
  tmpfs: ['/tmp'],
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  stop_grace_period: stopGracePeriod,
}

/** @see https://github.com/getumbrel/umbrel-apps#readme */
const umbrel = {
  'umbrel/umbrel-app.yml': stringify({
    manifestVersion: 1,
    id: app.id,
    category: 'media',
    name: app.name,
    version,
    tagline: app.tagline,
    description: app.description,
    developer: app.name,
    website: repository,
    repo: repository,
    support: `${repository}/issues`,
    dependencies: [],
    port: app.port,
    gallery: [],
    path: '',
    defaultUsername: '',
    defaultPassword: '',
    releaseNotes: '',
    submitter: app.name,
    submission: '',
  }),
  'umbrel/docker-compose.yml': stringify({
    services: {
      // Rangoli has accounts of its own, and visitors who need none.
      app_proxy: {
        environment: {
          APP_HOST: `${app.id}_web_1`,
          APP_PORT: app.port,
          PROXY_AUTH_ADD: 'false',
        },
      },
      web: {
        ...service,
        user: '1000:1000',
        environment: { TRUST_PROXY: '1' },
        volumes: ['${APP_DATA_DIR}/data:/data'],
      },
    },
  }),
  // Docker would create the folder for root.
  'umbrel/data/.gitkeep': '',
}

/** @see https://github.com/IceWhaleTech/CasaOS-AppStore/blob/main/CONTRIBUTING.md */
const casaos = {
  'casaos/docker-compose.yml': stringify({
    name: app.id,
    services: {
      [app.id]: {
        ...service,
        ports: [{ target: app.port, published: String(app.port), protocol: 'tcp' }],
        // Folders below /DATA belong to root.
        volumes: ['data:/data'],
        'x-casaos': {
          ports: [{ container: String(app.port), description: { en_us: 'Web page' } }],
          volumes: [{ container: '/data', description: { en_us: 'Database, images and secrets' } }],
        },
      },
    },
    volumes: { data: {} },
    'x-casaos': {
      architectures: ['amd64', 'arm64'],
      main: app.id,
      author: app.name,
      developer: app.name,
      category: 'Media',
      icon: app.icon,
      title: { en_us: app.name },
      tagline: { en_us: app.tagline },
      description: { en_us: app.description },
      index: '/',
      port_map: String(app.port),
    },
  }),
}

/** A custom app, as uid 568 `apps`. @see https://apps.truenas.com/managing-apps/installing-custom-apps/ */
const truenas = {
  'truenas/compose.yaml': stringify({
    services: {
      [app.id]: {
        ...service,
        user: '568:568',
        ports: [`${app.port}:${app.port}`],
        volumes: ['/mnt/POOL/apps/rangoli:/data'],
      },
    },
  }),
}

/** @see https://coolify.io/docs/services/contribute-service */
const coolify = {
  'coolify/compose.yaml':
    [
      `# documentation: ${repository}`,
      `# slogan: ${app.tagline}`,
      '# category: media',
      '# tags: images, gallery, ai, text-to-image',
      `# port: ${app.port}`,
      '',
    ].join('\n') +
    stringify({
      services: {
        [app.id]: {
          ...service,
          environment: [
            `SERVICE_URL_RANGOLI_${app.port}`,
            'PUBLIC_URL=$SERVICE_URL_RANGOLI',
            'TRUST_PROXY=1',
          ],
          volumes: ['rangoli-data:/data'],
        },
      },
    }),
}

/** Runs as 99:100, to whom appdata belongs. @see https://docs.unraid.net/unraid-os/using-unraid-to/run-docker-containers/ */
const unraid = {
  'unraid/rangoli.xml': `<?xml version="1.0"?>
<Container version="2">
  <Name>${app.id}</Name>
  <Repository>${app.image}</Repository>
  <Registry>https://${image}</Registry>
  <Network>bridge</Network>
  <Shell>sh</Shell>
  <Privileged>false</Privileged>
  <Support>${repository}/issues</Support>
  <Project>${repository}</Project>
  <Overview>${app.description}</Overview>
  <Category>MediaApp:Photos</Category>
  <WebUI>http://[IP]:[PORT:${app.port}]/</WebUI>
  <Icon>${app.icon}</Icon>
  <ExtraParams>--user 99:100 --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --stop-timeout ${Number.parseInt(stopGracePeriod)}</ExtraParams>
  <Config Name="Web page" Target="${app.port}" Default="${app.port}" Mode="tcp" Type="Port" Display="always" Required="true" Mask="false">${app.port}</Config>
  <Config Name="Data" Target="/data" Default="/mnt/user/appdata/rangoli" Mode="rw" Description="Database, images and secrets" Type="Path" Display="always" Required="true" Mask="false">/mnt/user/appdata/rangoli</Config>
  <Config Name="Address of the site" Target="PUBLIC_URL" Default="" Mode="" Description="Behind a proxy, such as https://gallery.example.org" Type="Variable" Display="always" Required="false" Mask="false"/>
  <Config Name="Number of proxies" Target="TRUST_PROXY" Default="off" Mode="" Description="Whose X-Forwarded headers are trusted" Type="Variable" Display="advanced" Required="false" Mask="false">off</Config>
</Container>
`,
}

const helm = {
  'helm/Chart.yaml': read('helm/Chart.yaml').replaceAll(/(?<=^(?:version|appVersion): ).*$/gm, version),
  'helm/values.yaml': read('helm/values.yaml').replace(/(?<=^  repository: ).*$/m, image),
}

const target = process.argv[2] ?? import.meta.dirname
for (const [name, text] of Object.entries({
  ...umbrel,
  ...casaos,
  ...truenas,
  ...coolify,
  ...unraid,
  ...helm,
})) {
  const file = path.join(target, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
