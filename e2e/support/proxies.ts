import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { adapted, startProxy, type Proxy, type ProxyPlace } from './proxy-process.ts'

/** Starts Caddy with examples/caddy/Caddyfile at a local address with a test certificate. */
export function startCaddy(place: ProxyPlace): Promise<Proxy> {
  const site = adapted('caddy/Caddyfile', [
    ['gallery.example.org {', `127.0.0.1 {\n\ttls ${place.certificate} ${place.key}`],
    ['127.0.0.1:3000', place.upstream],
  ])
  const globalConfig = `{
	admin off
	default_bind 127.0.0.1
	https_port ${place.ports.https}
	http_port ${place.ports.http}
}
`
  const file = path.join(place.folder, 'Caddyfile')
  writeFileSync(file, globalConfig + site)
  return startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', file], place)
}

/** Starts nginx with examples/nginx/rangoli.conf, included in a file like Debian's nginx.conf. */
export function startNginx(place: ProxyPlace): Promise<Proxy> {
  const { folder, ports } = place
  const letsEncrypt = '/etc/letsencrypt/live/gallery.example.org'
  const site = adapted('nginx/rangoli.conf', [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
    [`${letsEncrypt}/fullchain.pem`, place.certificate],
    [`${letsEncrypt}/privkey.pem`, place.key],
    ['gallery.example.org', '127.0.0.1'],
    ['127.0.0.1:3000', place.upstream],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const globalConfig = `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  gzip on;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${folder}/rangoli.conf;
}
`
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'rangoli.conf'), site)
  writeFileSync(path.join(folder, 'nginx.conf'), globalConfig)
  const args = ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')]
  return startProxy('nginx', args, place)
}
