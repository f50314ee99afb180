//! Plots of times, on a logarithmic axis, as SVG that needs nothing else.

use report::escaped;
use std::fmt::Write;

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct TimePlot {
    pub title: String,
    pub x_label: String,
    pub x_scale: Scale,
    /// In seconds.
    pub y_label: String,
    /// The time that runs have, in seconds: a line across.
    pub limit: f64,
    pub series: Vec<Series>,
}

/// How an axis grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// By whole decades.
    Logarithmic,
    /// From 0 in even steps, for numbers of things.
    Linear,
}

/// Points that belong together. Coordinates are positive.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    pub name: String,
    /// A colour of SVG.
    pub colour: &'static str,
    /// Squares and dashes instead of circles and lines.
    pub dashed: bool,
    pub points: Vec<(f64, f64)>,
    /// The x at which a run did not end within the limit.
    pub stopped_at: Option<f64>,
}

/// Colours that people who see fewer of them can tell apart (Okabe and Ito).
pub const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000",
];

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 490.0;

/// An axis over some values.
struct Axis {
    scale: Scale,
    /// Both ends; for a logarithmic axis their exponents of ten.
    from: f64,
    to: f64,
    /// Between two lines of the grid, as `from` and `to`.
    step: f64,
    /// Pixels at both ends.
    start: f64,
    end: f64,
}

/// A linear axis has about so many steps.
const STEPS: f64 = 8.0;

impl Axis {
    fn over(scale: Scale, values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let finite = values.filter(|value| value.is_finite() && *value > 0.0);
        let (from, to, step) = match scale {
            Scale::Logarithmic => {
                let (low, high) = finite
                    .map(f64::log10)
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| {
                        (low.min(log), high.max(log))
                    });
                let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
                (low.floor(), high.ceil().max(low.floor() + 1.0), 1.0)
            }
            Scale::Linear => {
                let high = finite.fold(1.0, f64::max);
                let rough = (high / STEPS).max(1.0);
                let decade = 10_f64.powf(rough.log10().floor());
                let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
                let mut steps = factors.map(|factor| factor * decade);
                let step = steps.find(|step| *step >= rough).unwrap_or(rough);
                (0.0, (high / step).ceil() * step, step)
            }
        };
        Axis {
            scale,
            from,
            to,
            step,
            start,
            end,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Logarithmic => value.log10(),
            Scale::Linear => value,
        };
        self.at_mark(value)
    }

    /// Where a value of `marks` lies.
    fn at_mark(&self, mark: f64) -> f64 {
        let share = (mark - self.from) / (self.to - self.from);
        self.start + share * (self.end - self.start)
    }

    /// Where the lines of the grid are, as `from` and `to`.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let (from, to, step) = (self.from, self.to, self.step);
        let marks = std::iter::successors(Some(from), move |mark| Some(mark + step));
        marks.take_while(move |mark| *mark <= to + step / 2.0)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "exponents of ten of floats are small whole numbers here"
)]
fn whole(exponent: f64) -> i32 {
    exponent.round() as i32
}

impl TimePlot {
    /// The plot as one SVG document.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let stops = self.series.iter().filter_map(|series| series.stopped_at);
        let values = points().map(|(x, _)| *x).chain(stops);
        let x = Axis::over(self.x_scale, values, LEFT, RIGHT);
        let times = points().map(|(_, y)| *y).chain([self.limit]);
        let y = Axis::over(Scale::Logarithmic, times, BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(
            &mut svg,
            LEFT,
            32.0,
            "start",
            "font-size=\"17\"",
            &self.title,
        );
        self.write_grid(&mut svg, &x, &y);
        self.write_limit(&mut svg, &y);
        for (position, series) in self.series.iter().enumerate() {
            self.write_series(&mut svg, series, position, &x, &y);
        }
        self.write_legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    fn write_grid(&self, svg: &mut String, x: &Axis, y: &Axis) {
        for mark in x.marks() {
            let at = x.at_mark(mark);
            let label = match x.scale {
                Scale::Logarithmic => power_of_ten(whole(mark)),
                Scale::Linear => format!("{mark}"),
            };
            line(svg, (at, TOP), (at, BOTTOM), "stroke=\"#dddddd\"");
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                BOTTOM + 22.0,
            );
        }
        for mark in y.marks() {
            let at = y.at_mark(mark);
            line(svg, (LEFT, at), (RIGHT, at), "stroke=\"#dddddd\"");
            text(svg, LEFT - 8.0, at + 5.0, "end", "", &time(whole(mark)));
        }
        let frame = "stroke=\"#444444\"";
        line(svg, (LEFT, TOP), (LEFT, BOTTOM), frame);
        line(svg, (LEFT, BOTTOM), (RIGHT, BOTTOM), frame);
        let middle = f64::midpoint(LEFT, RIGHT);
        text(svg, middle, BOTTOM + 50.0, "middle", "", &self.x_label);
        let middle = f64::midpoint(TOP, BOTTOM);
        let turned = format!("transform=\"rotate(-90 24 {middle:.1})\"");
        text(svg, 24.0, middle, "middle", &turned, &self.y_label);
    }

    fn write_limit(&self, svg: &mut String, y: &Axis) {
        let at = y.at(self.limit);
        let dots = "stroke=\"#888888\" stroke-dasharray=\"2 4\"";
        line(svg, (LEFT, at), (RIGHT, at), dots);
        let label = format!("limit {} s", self.limit);
        let small = "font-size=\"12\" fill=\"#666666\"";
        text(svg, LEFT + 6.0, at - 5.0, "start", small, &label);
    }

    fn write_series(&self, svg: &mut String, series: &Series, position: usize, x: &Axis, y: &Axis) {
        let colour = series.colour;
        let at = |(px, py): &(f64, f64)| (x.at(*px), y.at(*py));
        let places: Vec<(f64, f64)> = series.points.iter().map(at).collect();
        // Stops of several series lie beside each other.
        #[expect(clippy::cast_precision_loss, reason = "a plot has few series")]
        let beside = (position as f64 - self.series.len() as f64 / 2.0) * 5.0;
        let stop = series
            .stopped_at
            .map(|stop| (x.at(stop) + beside, y.at(self.limit)));
        let mut path = String::new();
        for (px, py) in places.iter().copied().chain(stop) {
            let _ = write!(path, "{px:.1},{py:.1} ");
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{}/>",
            path.trim_end(),
            dashes(series)
        );
        for (place, (px, py)) in places.iter().zip(&series.points) {
            let title = format!("{}: {px}, {py:.4} s", series.name);
            marker(svg, *place, series, &title);
        }
        if let Some((px, py)) = stop {
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1},{:.1} l-6,10 l12,0 z\" fill=\"white\" stroke=\"{colour}\" \
                 stroke-width=\"2\"><title>{}: out of time</title></path>",
                px,
                py - 6.0,
                escaped(&series.name)
            );
        }
    }

    fn write_legend(&self, svg: &mut String) {
        let (left, mut at) = (RIGHT + 24.0, TOP + 10.0);
        for series in &self.series {
            let stroke = format!(
                "stroke=\"{}\" stroke-width=\"2\"{}",
                series.colour,
                dashes(series)
            );
            line(svg, (left, at), (left + 34.0, at), &stroke);
            marker(svg, (left + 17.0, at), series, &series.name);
            text(svg, left + 44.0, at + 5.0, "start", "", &series.name);
            at += 24.0;
        }
        if self.series.iter().all(|series| series.stopped_at.is_none()) {
            return;
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1},{:.1} l-6,10 l12,0 z\" fill=\"white\" stroke=\"#444444\" \
             stroke-width=\"2\"/>",
            left + 17.0,
            at - 6.0
        );
        text(svg, left + 44.0, at + 5.0, "start", "", "out of time");
    }
}

fn dashes(series: &Series) -> &'static str {
    if series.dashed {
        " stroke-dasharray=\"7 4\""
    } else {
        ""
    }
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), how: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {how}/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, how: &str, content: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {how}>{}</text>",
        escaped(content)
    );
}

fn marker(svg: &mut String, (x, y): (f64, f64), series: &Series, title: &str) {
    let title = escaped(title);
    let colour = series.colour;
    let _ = if series.dashed {
        writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\" fill=\"{colour}\"><title>{title}</title></rect>",
            x - 4.5,
            y - 4.5
        )
    } else {
        writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"><title>{title}</title></circle>"
        )
    };
}

fn power_of_ten(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10<tspan dy=\"-6\" font-size=\"11\">{exponent}</tspan>"),
    }
}

/// A power of ten seconds, in a unit that makes it a whole number.
fn time(exponent: i32) -> String {
    let (unit, zeros) = match exponent {
        0.. => ("s", exponent),
        -3..=-1 => ("ms", exponent + 3),
        _ => ("µs", (exponent + 6).max(0)),
    };
    let zeros = usize::try_from(zeros).unwrap_or_default();
    format!("1{} {unit}", "0".repeat(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> TimePlot {
        TimePlot {
            title: "a < b & c".to_owned(),
            x_label: "bound".to_owned(),
            x_scale: Scale::Logarithmic,
            y_label: "time".to_owned(),
            limit: 20.0,
            series: vec![
                Series {
                    name: "flat".to_owned(),
                    colour: COLOURS[0],
                    dashed: false,
                    points: vec![(10.0, 0.02), (100.0, 0.02), (1e6, 0.02)],
                    stopped_at: None,
                },
                Series {
                    name: "steep".to_owned(),
                    colour: COLOURS[1],
                    dashed: true,
                    points: vec![(10.0, 0.5)],
                    stopped_at: Some(100.0),
                },
            ],
        }
    }

    #[test]
    fn points_lie_where_the_axes_say() {
        let svg = example().to_svg();
        let document = roxmltree::Document::parse(&svg).expect("the plot is XML");
        let attribute = |name: &str, tag: &str| -> Vec<f64> {
            let nodes = document.descendants().filter(|node| node.has_tag_name(tag));
            let values = nodes.filter_map(|node| node.attribute(name)?.parse().ok());
            values.collect()
        };
        // Three points and one in the legend.
        let (x, y) = (attribute("cx", "circle"), attribute("cy", "circle"));
        assert_eq!((x.len(), y.len()), (4, 4));
        assert!(
            (x[0] - LEFT).abs() < 0.1 && (x[2] - RIGHT).abs() < 0.1,
            "{x:?}"
        );
        assert!(
            (x[1] - x[0] - (RIGHT - LEFT) / 5.0).abs() < 0.1,
            "decades are even"
        );
        assert!((y[0] - y[2]).abs() < 0.1, "equal times are level");
        let squares: Vec<f64> = attribute("y", "rect");
        assert!(squares[0] < y[0], "a longer time is higher");
        let texts: Vec<String> = document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .map(|node| {
                let inside = node.descendants().filter(roxmltree::Node::is_text);
                inside.filter_map(|inside| inside.text()).collect()
            })
            .collect();
        for expected in [
            "a < b & c",
            "10 ms",
            "100 s",
            "limit 20 s",
            "steep",
            "bound",
        ] {
            assert!(
                texts.iter().any(|text| text == expected),
                "{expected}: {texts:?}"
            );
        }
    }

    #[test]
    fn numbers_of_things_lie_evenly() {
        let points = (1..=30).map(|n| (f64::from(n), 0.1));
        let plot = TimePlot {
            x_scale: Scale::Linear,
            series: vec![Series {
                points: points.collect(),
                ..example().series[0].clone()
            }],
            ..example()
        };
        let svg = plot.to_svg();
        let document = roxmltree::Document::parse(&svg).expect("the plot is XML");
        let circles = document
            .descendants()
            .filter(|node| node.has_tag_name("circle"));
        let x: Vec<f64> = circles
            .filter_map(|node| node.attribute("cx")?.parse().ok())
            .collect();
        let apart = (RIGHT - LEFT) / 30.0;
        assert!((x[0] - LEFT - apart).abs() < 0.2, "{x:?}");
        assert!((x[29] - RIGHT).abs() < 0.2, "{x:?}");
        assert!(svg.contains(">5</text>") && svg.contains(">30</text>"));
        assert!(!svg.contains("out of time"), "nothing was stopped");
    }

    #[test]
    fn a_plot_without_points_is_one_too() {
        let empty = TimePlot {
            series: Vec::new(),
            ..example()
        };
        assert!(roxmltree::Document::parse(&empty.to_svg()).is_ok());
    }
}
