//! `croupier serve`.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use super::RIGHT;
use crate::figures;
use crate::http;
use crate::serve::OpenHouse;
use crate::settings::{Arguments, LogFormat, Settings};

/// How often old samples are thrown away.
const UPKEEP: Duration = Duration::from_secs(5);
/// Upper bounds of the histograms of times, in seconds.
const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Upper bounds of the histogram of streams that share a commit.
const APPENDS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0];

/// Opens the house and keeps it open until the process is told to stop.
pub fn serve(arguments: &Arguments) -> anyhow::Result<u8> {
    let settings = Settings::load(arguments)?;
    log_to_stderr(&settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("no threads")?.block_on(run(settings))
}

fn log_to_stderr(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).context("log")?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours);
    let log = log.with_writer(std::io::stderr);
    let begun = match settings.log_format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    begun.map_err(|why| anyhow::anyhow!("log: {why}"))
}

fn metrics() -> anyhow::Result<PrometheusHandle> {
    let seconds = Matcher::Suffix("_seconds".to_owned());
    let appends = Matcher::Full("croupier_commit_appends".to_owned());
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(seconds, &SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(appends, &APPENDS));
    let handle = builder.and_then(PrometheusBuilder::install_recorder).context("metrics")?;
    figures::describe();
    Ok(handle)
}

async fn run(settings: Settings) -> anyhow::Result<u8> {
    let metrics = metrics()?;
    let upkeep = metrics.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    let mut interrupt = signal(SignalKind::interrupt()).context("signals")?;
    let mut terminate = signal(SignalKind::terminate()).context("signals")?;
    let tables = settings.tables.len();
    let house = OpenHouse::open(settings, metrics).await?;
    let address = house.address();
    tracing::info!(%address, tables, "the house is open");
    super::print(&format!("croupier is open: http://{address}\n"))?;
    if http::are_missing() {
        eprintln!("{}", http::ARE_MISSING);
    }
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("the house closes");
    tokio::select! {
        () = house.close() => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(RIGHT)
}
